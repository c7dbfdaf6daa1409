#include "workloads/interface/declaration.hpp"

#include <algorithm>

#include "workloads/data/inputs/keys.hpp"
#include "workloads/data/sets/teacher4.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/pipeline/arithmetic/network.hpp"
#include "workloads/pipeline/keys.hpp"
#include "workloads/pipeline/report/views.hpp"
#include "workloads/pipeline/variants.hpp"

namespace retrial::pipeline {
namespace {

using results::Axis, results::Direction, results::MetricDef, results::Nature, results::Scale;

MetricDef outcome(const char* name, const char* unit, Direction direction, Axis axis = Axis::none) {
  return {name, unit, direction, Nature::outcome, Scale::absolute, axis};
}

std::vector<MetricDef> metrics() {
  return {outcome("accuracy", "%", Direction::higher),
          outcome("train_loss", "nat", Direction::lower, Axis::step),
          outcome("diverged", "", Direction::lower),
          outcome("delay_mean_first", "updates", Direction::none),
          outcome("delay_max_first", "updates", Direction::none),
          outcome("utilisation_tick", "", Direction::none),
          outcome("utilisation_slot", "", Direction::none),
          outcome("version_floats", "", Direction::none),
          outcome("activation_floats", "", Direction::none)};
}

std::vector<MetricDef> metrics_of(const Values& values) {
  std::vector<MetricDef> all = metrics();
  if (!is_threaded(values)) return all;
  all.push_back({"busy_share", "", Direction::higher, Nature::cost, Scale::absolute, Axis::none});
  for (std::int64_t p = 0; p < integer_in(values, "workers"); ++p)
    all.push_back({"busy_seconds_" + std::to_string(p), "s", Direction::lower, Nature::cost, Scale::ratio, Axis::none});
  return all;
}

std::vector<std::string> honours(const Values& values) {
  std::vector<std::string> names{"init"};
  if (has_images(values) && text_in(values, "split") != "published") names.emplace_back("data-split");
  names.emplace_back("data-order");
  if (number_in(values, "dropout") > 0) names.emplace_back("dropout");
  return names;
}

/// Under `inherit` nothing is known of the mode: a trial then asks LibTorch for its threads.
std::optional<workloads::Problem> mode_problem(const Values& values, const determinism::KernelMode& mode) {
  if (mode.inherit()) return std::nullopt;
  if (mode.deterministic && executor_of(values) == Executor::threads_free)
    return workloads::Problem{"executor", "promises no equal bits",
                              "tick, threads_fixed, or mode = { deterministic = false }"};
  if (mode.threads > 1 && text_in(values, "backend") == "torch")
    return workloads::Problem{"backend",
                              "cannot be combined with " + std::to_string(mode.threads) +
                                  " threads of the kernel mode, which would multiply with those of the pipeline",
                              "native, or mode = { threads = 1 } with more workers"};
  return std::nullopt;
}

/// A method that has nothing to correct is no failure, and no result either. One delay for the whole network is a
/// simulation, unless an update has enough micro-batches to fill the pipeline.
std::vector<std::string> remarks(const Values& values) {
  const std::string& corrector = text_in(values, "corrector");
  const Method method = method_from(values);
  if (method.lateness(0) == 0) {
    if (corrector == "none") return {};
    return {"no stage has a delay, so corrector = " + corrector + " changes nothing and is not asked to"};
  }
  if (method.delay_model != DelayModel::uniform || method.microbatches > 1 || method.stages() == 1) return {};
  return {"delay = uniform: the last stage lags as much as the first, by " + std::to_string(method.lateness(0)) +
          (method.lateness(0) == 1 ? " update" : " updates") +
          "; in a pipeline (delay = pb, one_f_one_b) it does not lag at all"};
}

/// Seconds of one CPU, as measured with the networks of the studies: by samples and weights, and what an optimizer adds
/// to each update; with LibTorch by its calls and their products.
workloads::Effort effort_of(const Values& values, const std::filesystem::path&) {
  const Network network = network_from(values);
  const std::string& optimizer = text_in(values, "optimizer");
  const auto samples = static_cast<double>(integer_in(values, "samples")),
             weights = static_cast<double>(parameters_of(network));
  double seconds = .01, products = 0;
  for (const Layer& layer : network) products += static_cast<double>(layer.products());
  if (text_in(values, "backend") == "torch") {
    seconds = 1 + samples * (1e-4 * static_cast<double>(network.size()) + 3e-10 * products);
  } else {
    const double adds = optimizer == "adam" ? 5e-9 : optimizer == "muon" ? 1e-7 : 0;
    seconds += samples * weights * (1.5e-9 + adds / static_cast<double>(samples_per_update(values)));
  }
  return {.own_phase = "training", .own_count = 1, .own_seconds = seconds};
}

workloads::Declaration declaration() {
  return {.name = workload_name,
          .summary = "train a network cut into stages that all work at once, and count what the delay costs",
          .example = "retrial run studies/pipeline-quick.toml",
          .parameters = parameters(),
          .refused = {},
          .sources = {{"init", "initial weights"},
                      {"data-split", "division of the images into training and test", false, true},
                      {"data-order", "order of the rows in each epoch"},
                      {"dropout", "choice of the dropped outputs"}},
          .metrics = metrics(),
          .variants = variants(),
          .probes = {{"delay-differs", "the counted delay is that of the model at every stage, start-up included"},
                     {"wrong-weights", "every pass reads the version that its semantics names"},
                     {"gradient-lost", "after the last sample every stage has applied every gradient once"},
                     {"method-inactive", "what the variant promises happens"},
                     {"executors-differ", "two threads give the bits of the simulated clock"}},
          .validate = validate,
          .mode_problem = mode_problem,
          .own_threads = [](const Values& values) { return is_threaded(values) ? integer_in(values, "workers") : 1; },
          .honours = honours,
          .reads = reads,
          .dataset = [](const Values& values, const std::filesystem::path& folder) -> std::optional<results::Digest> {
            if (!has_images(values)) return data::teacher4_identity();
            return data::identity(*data::loaded_set(workload_name, data::located(values, folder)));
          },
          .test_items = [](const Values& values, const std::string& metric) -> std::optional<std::int64_t> {
            if (metric != "accuracy") return std::nullopt;
            if (has_images(values)) return data::test_rows(workload_name, values);
            return data::Teacher4::test_rows;
          },
          .effective_items = [](const Values& values, const std::string& metric) -> std::optional<std::int64_t> {
            if (metric != "accuracy" || !has_images(values)) return std::nullopt;
            return data::effective_test_rows(workload_name, values);
          },
          .scale =
              [](const Values&, const std::string& metric) {
                return metric == "accuracy" ? workloads::ScoreScale{.range = {{0, 100}}} : workloads::ScoreScale{};
              },
          .overlap = [](const Values& values) -> std::optional<double> {
            return has_images(values) ? data::split_overlap(workload_name, values) : std::nullopt;
          },
          .remarks = remarks,
          .metrics_of = metrics_of,
          .contributes = {.section = report_section,
                          .views = views(),
                          .effort = effort_of,
                          .short_trials = short_trials,
                          .trainings = trainings},
          .trains = workloads::Trains::on_cpu,
          .data_key = "data_dir"};
}

const workloads::Register declared{declaration()};

}  // namespace
}  // namespace retrial::pipeline
