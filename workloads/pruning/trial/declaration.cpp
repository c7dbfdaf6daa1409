#include "workloads/interface/declaration.hpp"

#include <algorithm>

#include "results/record/score_bounds.hpp"
#include "results/text/error.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/nn/protocol/keys.hpp"
#include "workloads/pruning/keys/distributions.hpp"
#include "workloads/pruning/keys/keys.hpp"
#include "workloads/pruning/measures/metrics.hpp"
#include "workloads/pruning/network/size.hpp"
#include "workloads/pruning/published/lost_in_pruning.hpp"
#include "workloads/pruning/report/views.hpp"
#include "workloads/pruning/trial/effort.hpp"
#include "workloads/pruning/trial/listing.hpp"
#include "workloads/pruning/trial/remarks.hpp"
#include "workloads/pruning/trial/short_trials.hpp"

namespace retrial::pruning::inline trial {
namespace {

using results::Axis, results::Direction, results::MetricDef, results::Nature, results::Scale;

MetricDef outcome(std::string name, std::string unit, Direction direction, Axis axis = Axis::none) {
  return {std::move(name), std::move(unit), direction, Nature::outcome, Scale::absolute, axis};
}

/// The distributions with counted errors: the test sets, then the noise levels.
std::vector<std::string> counted(const Values& values) {
  std::vector<std::string> names = distribution_names(values);
  for (std::string& name : noise_names(values)) names.push_back(std::move(name));
  return names;
}

void add_potentials(const Values& values, std::vector<MetricDef>& to) {
  for (const std::string& name : counted(values)) {
    to.push_back(outcome("potential_" + name + "_max", "%", Direction::higher));
    to.push_back(outcome("potential_" + name + "_first", "%", Direction::higher));
  }
  for (const std::string& name : counted(values))
    for (const char* rule : {"_max", "_first"}) to.push_back(results::bound_of("potential_" + name + rule));
  if (distribution_names(values).size() > 1) to.push_back(outcome("excess_slope", "pp", Direction::lower));
  to.push_back(outcome("compression_nominal", "", Direction::higher));
  to.push_back(results::bound_of("compression_nominal"));
}

void add_series(const Values& values, std::vector<MetricDef>& to) {
  const auto series = [&](const std::string& name, const char* unit, Direction direction) {
    to.push_back(outcome(name, unit, direction, Axis::step));
  };
  for (const std::string& name : counted(values))
    series(name == nominal ? "accuracy" : "accuracy_" + name, "%", Direction::higher);
  for (const char* share : {"pr_w", "pr_all", "pr_nnz"}) series(share, "%", Direction::none);
  for (const char* count : {"live", "macs", "denormals"}) series(count, "", Direction::none);
  for (const char* ratio : {"compression", "speedup_theory"}) series(ratio, "", Direction::none);
}

/// Metrics of the cascade's networks by step, and of the separate network with its prefix.
void add_comparisons(const Values& values, const std::string& prefix, Axis axis, std::vector<MetricDef>& to) {
  const auto add = [&](const std::string& name, const char* unit, Direction direction) {
    to.push_back(outcome(prefix + name, unit, direction, axis));
  };
  if (integer_in(values, "noise_images") > 0)
    for (const double level : noise_levels_of(values)) {
      add(noise_metric("distance_match", level), "%", Direction::higher);
      for (const char* name : {"softmax_l2", "softmax_linf", "logit_l2", "logit_linf"})
        add(noise_metric(std::string("distance_") + name, level), "", Direction::lower);
      if (!prefix.empty()) add(noise_metric("accuracy_noise", level), "%", Direction::higher);
    }
  if (integer_in(values, "backselect_images") > 0)
    for (const char* name : {"backselect_own", "backselect_parent", "backselect_from_parent"})
      add(name, "", Direction::higher);
}

void add_costs(std::vector<MetricDef>& to) {
  const auto cost = [&](const char* name, const char* unit) {
    to.push_back({name, unit, Direction::lower, Nature::cost, Scale::ratio, Axis::step});
  };
  cost("seconds", "s");
  for (const char* name : {"latency_ms_1", "latency_ms_64", "latency_dense_ms_1", "latency_dense_ms_64"})
    cost(name, "ms");
}

/// The names depend on the distributions and noise levels of the keys.
std::vector<MetricDef> metrics_of(const Values& values) try {
  std::vector<MetricDef> all;
  const bool prunes = pipeline_of(values).prunes;
  if (prunes) add_potentials(values, all);
  all.push_back(outcome("parent_accuracy", "%", Direction::higher));
  if (prunes) all.push_back(outcome("last_accuracy", "%", Direction::higher));
  add_series(values, all);
  add_comparisons(values, "", Axis::step, all);
  if (flag_in(values, "separate")) {
    all.push_back(outcome("separate_accuracy", "%", Direction::higher));
    add_comparisons(values, "separate_", Axis::none, all);
  }
  all.push_back(outcome("train_loss", "nat", Direction::lower, Axis::epoch));
  add_costs(all);
  return all;
} catch (const std::exception&) {
  return {outcome("parent_accuracy", "%", Direction::higher)};  // validate reports the problems of the keys
}

std::vector<workloads::Source> sources() {
  return {{"init", "initial weights of the parent"},
          {"data-split", "division of the rows into training and test", false, true},
          {"data-order", "order of the rows in each epoch"},
          {"augmentation", "changes to each training image"},
          {"dropout", "choice of the dropped activations"},
          {"prune", "random choices of a method"},
          {"sample", "rows of the scoring set"},
          {"rewind", "new initial weights of pipeline reinit"},
          {"test-noise", "noise on the test images of functional distance", true},
          {"corrupt", "draws of image corruptions", true}};
}

std::vector<std::string> honours(const Values& values) {
  std::vector<std::string> names;
  const auto add_if = [&](bool honoured, const char* name) {
    if (honoured) names.emplace_back(name);
  };
  const auto text = [&](const char* key) { return text_in(values, key); };
  const Pipeline& pipeline = pipeline_of(values);
  add_if(!is_script(values), "init");
  add_if(text("split") != "published", "data-split");
  names.emplace_back("data-order");
  add_if(augmentation_source(values) == "augmentation", "augmentation");
  add_if(number_in(values, "dropout") > 0, "dropout");
  add_if(pipeline.prunes && (method_of(values).draws || pipeline.control == Control::random_mask), "prune");
  add_if(pipeline.prunes && method_of(values).reads_samples, "sample");
  add_if(pipeline.control == Control::reinit, "rewind");
  add_if(integer_in(values, "noise_images") > 0, "test-noise");
  const bool corrupts = text("corruptions") != "none" && text("corruptions") != "official";
  add_if(corrupts || augmentation_source(values) == "corrupt", "corrupt");
  return names;
}

bool is_share_of_images(const std::string& metric) {
  return metric == "parent_accuracy" || metric == "last_accuracy" || metric == "separate_accuracy" ||
         metric.starts_with("accuracy");
}

std::optional<std::int64_t> test_items(const Values& values, const std::string& metric) {
  if (!is_share_of_images(metric) || metric.starts_with("accuracy_noise_"))
    return std::nullopt;  // draws of one image are not test rows
  return data::test_rows(workload_name, values);
}

std::optional<std::int64_t> effective_items(const Values& values, const std::string& metric) {
  return test_items(values, metric) ? data::effective_test_rows(workload_name, values) : std::nullopt;
}

/// The prune ratios that the grid asks for at the networks that count, in percent, and 0 for none.
std::vector<double> asked_ratios(const Values& values) {
  std::vector<double> ratios{0};
  for (const double keep : retrained_grid(values))
    if (keep < 1) ratios.push_back(100 * (1 - keep));
  return ratios;
}

/// A potential is a round of the grid, whatever ratio the method met there: one that removes whole channels
/// undershoots.
workloads::ScoreScale scale(const Values& values, const std::string& metric) {
  if (is_share_of_images(metric)) return {.range = percent_range};
  if (metric.starts_with("potential_")) return {.levels = asked_ratios(values), .range = percent_range};
  if (metric != "compression_nominal" || is_script(values)) return {};
  workloads::ScoreScale found{.levels = asked_ratios(values)};
  const Network network = network_of(values);
  for (double& level : found.levels) level = compression_at(network, level);
  return found;
}

/// One preset per method. The first is the baseline of the others: random weights.
std::vector<workloads::Variant> variants() {
  std::vector<workloads::Variant> all;
  std::vector<Method> methods = all_methods();
  std::stable_partition(methods.begin(), methods.end(), [](const Method& m) { return m.name == "rand_global"; });
  for (const Method& method : methods) {
    Values preset{{"method", method.name}};
    if (method.rule == Rule::lottery) preset["grid"] = std::string("levels(.2, 14)");
    if (method.name == "bn_scale") preset["model"] = std::string("cnn16");  // mlp has no batch norm
    all.push_back({method.name, method.summary, std::move(preset)});
  }
  return all;
}

/// Digest of the images, and of the photographs for one of the corruptions.
results::Digest identity_of(const Values& values) {
  const results::Digest images = data::identity(*data::loaded_set(workload_name, values));
  const auto textures = textures_of(values);
  return textures ? results::sha256("images " + results::hex(images) + " frost " + results::hex(textures->digest))
                  : images;
}

workloads::Declaration declaration() {
  Values defaults;
  for (const workloads::Parameter& parameter : parameters()) defaults[parameter.name] = parameter.fallback;
  return {.name = workload_name,
          .summary = "train a network, prune it step by step, retrain it, and measure how much can really be removed",
          .example = "retrial run studies/prune-tier0.toml",
          .parameters = parameters(),
          .refused = {},
          .sources = sources(),
          .metrics = metrics_of(defaults),
          .variants = variants(),
          .probes = {{"mask-not-applied", "masked weights are 0 after every optimizer step"},
                     {"mask-revived", "weights masked at one step are masked at the next"},
                     {"ratio-missed", "the number of kept weights is the requested one"},
                     {"score-ignores-data", "another scoring set gives other scores"},
                     {"rewind-ignored", "rewinding restores the weights of its epoch"},
                     {"chance-collapse", "a network after the first step is still better than chance"}},
          .validate = validate,
          .keeps_networks = [](const Values&) { return true; },
          .honours = honours,
          .reads = reads,
          .dataset = [](const Values& values, const std::filesystem::path& folder) -> std::optional<results::Digest> {
            return identity_of(data::located(values, folder));
          },
          .test_items = test_items,
          .effective_items = effective_items,
          .scale = scale,
          .overlap = [](const Values& values) { return data::split_overlap(workload_name, values); },
          .remarks = remarks,
          .operations = nn::training_operations(),
          .metrics_of = metrics_of,
          .contributes = {.section = report_section,
                          .notes = report_notes,
                          .views = views(),
                          .listings = {layers_listing()},
                          .published = [] { return std::vector{lost_in_pruning()}; },
                          .effort = effort_of,
                          .short_trials = short_trials,
                          .trainings = trainings},
          .needs_torch = true,
          .trains = workloads::Trains::on_cpu_and_gpu,
          .data_key = "data_dir"};
}

const workloads::Register declared{declaration()};

}  // namespace
}  // namespace retrial::pruning::inline trial
