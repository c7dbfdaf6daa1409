#include "workloads/pruning/keys/keys.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/files/rational.hpp"
#include "workloads/interface/script_name.hpp"
#include "workloads/interface/trial/split.hpp"
#include "workloads/nn/protocol/keys.hpp"
#include "workloads/pruning/steps/grid.hpp"

namespace retrial::pruning::inline keys {
namespace {

using workloads::Range, workloads::Reads;
using Choices = std::vector<std::string>;

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr Range whole_from_one{.low = 1, .high = 1e9}, whole{.low = 0, .high = 1e9},
    positive{.low = 0, .high = unbounded, .low_open = true, .high_open = true},
    not_negative{.low = 0, .high = unbounded, .high_open = true}, below_one{.low = 0, .high = 1, .high_open = true};

/// "a, b, c" as numbers, each in [low, high] and only once: names of metrics contain them.
std::vector<double> numbers(const Values& values, const std::string& key, double low, double high,
                            const std::string& allowed) {
  std::vector<double> out;
  const std::string& list = text_in(values, key);
  if (list.empty()) return out;
  for (const std::string& item : workloads::split(list, ',', " ")) {
    const auto value = results::parse_double(item);
    if (!value || *value < low || *value > high) throw InvalidInput(key, item, allowed);
    if (std::find(out.begin(), out.end(), *value) != out.end())
      throw InvalidInput(key, item + " is repeated", "each number once");
    out.push_back(*value);
  }
  return out;
}

/// The largest scores are kept, of the whole network or of each layer.
bool compares_weights(const Method& method) {
  return method.rule == Rule::best || method.rule == Rule::share;
}

/// Whether photographs of ice may be needed.
bool names_frost(const std::string& corruptions) {
  return corruptions == "mix2" || corruptions.find("frost") != std::string::npos;
}

/// Whether the model has batch norms, on images that every model takes; an unknown model is named by `validate`.
bool normalises(const Values& values) try {
  const nn::Architecture model = architecture_of(values);
  return model.family != nn::Family::mlp && !pruning::network_of(model, {3, 32, 32}, 10).norms.empty();
} catch (const InvalidInput&) {
  return false;
}

}  // namespace

std::vector<workloads::Parameter> parameters() {
  using std::string_literals::operator""s;
  std::vector<workloads::Parameter> all = data::data_parameters(
      {.validation = "share of the training rows to hold out from training; the scoring set is drawn from them"});
  const auto append = [&](const std::vector<workloads::Parameter>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  append({
      {.name = "model",
       .fallback = "mlp:128,64"s,
       .meaning = "network to train and prune (retrial list models), or script:FILE, a TorchScript network of your own",
       .allowed = {},
       .may_be_script = true},
      {"dropout", 0.0, "dropout rate after hidden ReLUs of mlp, on the features of cnn, in the blocks of wrn",
       below_one},
      {"method", "wt"s, "pruning method: selects the weights to remove", method_names()},
      {"pipeline", "cascade"s, "alternation of pruning and training", pipeline_names()},
      {"grid",
       std::string(tier0_grid),
       "keep ratios of the steps, as shares of the initial weights: geometric(n, max, min), linear(n, max, min), "
       "levels(f, L), "
       "powers(n, first, factor) or a list, joined by +",
       {}},
      {"retrain_every", std::int64_t{1}, "prune steps per retraining", whole_from_one},
      {"retrain_epochs", std::int64_t{0}, "epochs of each retraining; 0: as many as for the parent", whole,
       Reads::schedule},
      {"rewind_epoch", std::int64_t{0},
       "epoch of the parent whose weights cascade_rewind restores; 0: the initial weights", whole},
  });
  append(nn::training_parameters({.epochs = 20,
                                  .lr = .1,
                                  .nesterov = false,
                                  .weight_decay = 1e-4,
                                  .milestones = "1/2,3/4",
                                  .augment_mix = 1,
                                  .may_have_no_epochs = true,
                                  .epochs_meaning = "epochs of the parent; 0: a parent of script:FILE as it is",
                                  .lr_meaning = "learning rate before the first milestone",
                                  .augment_meaning = "operator on the training images"}));
  append({
      {"scope", "method"s, "compare weights in the whole network or layer by layer; method: as the method defines",
       Choices{"method", "global", "layer"}},
      {"exact",
       true,
       "keep exactly the requested number of weights; false: cut at a quantile of the scores, so that ties are kept",
       {},
       Reads::rare},
      {"min_keep", std::int64_t{0}, "minimum number of weights to keep in each layer", whole},
      {"prune_classifier", true, "also prune the last layer", {}},
      {"structure", "mask"s, "group: remove channels completely and evaluate the smaller network",
       Choices{"mask", "group"}, Reads::evaluation},
      {"reduce", "mean"s, "group methods: how to combine the scores of a channel from the members of its group",
       Choices(reduce_names())},
      {"norm", "mean"s, "group methods: how to normalize the scores of a group", Choices(scaling_names())},
      {"round_to", std::int64_t{1}, "group methods: keep multiples of this number of channels", whole_from_one},
      {"max_group_ratio", 1.0, "group methods: largest share of a group to remove", Range{0, 1, true}},
      {"lth_rule", "exact"s, "openlth: remove one weight more than requested, as OpenLTH does",
       Choices{"exact", "openlth"}},
      {"sample_size", std::int64_t{0}, "samples of the scoring set; 0: by formula", whole},
      {"recalibrate", false, "recompute batch norm statistics after every pruning step", {}},
      {"deltas",
       ".5"s,
       "margins of prune potential in percentage points; the first gives the judged metric",
       {},
       Reads::evaluation},
      {"corruptions",
       "default"s,
       "test distributions besides the nominal one: default (13 shifts for the digits, else portable), none, portable "
       "(12 corruptions that are bit-equal everywhere), official (the arrays of CIFAR-10-C in the folder CIFAR-10-C of "
       "data_dir), mix2 (those that augment = mix1 does not use), or names",
       {},
       Reads::evaluation},
      {"frost_dir",
       ""s,
       "folder of the six photographs of ice that the corruption frost lays over an image, frost1.png to frost6.jpg; "
       "the identity holds their digest, not the folder",
       {},
       Reads::place},
      {"severities", "3"s, "severities of the corruptions, 1 to 5", {}, Reads::evaluation},
      {"noise_levels",
       "0,.05,.1,.15,.2,.25,.3,.35,.4,.45,.5,.55,.6,.65,.7"s,
       "levels of uniform noise for functional distance",
       {},
       Reads::evaluation},
      {"noise_draws", std::int64_t{100}, "noise draws per image", whole_from_one, Reads::evaluation},
      {"noise_images", std::int64_t{0}, "test images for functional distance; 0: do not measure it", whole,
       Reads::evaluation},
      {"noise_units", "pixel"s, "add noise to pixels between 0 and 1, or after normalization",
       Choices{"pixel", "normalised"}, Reads::evaluation},
      {"backselect_images", std::int64_t{0}, "test images for informative pixels; 0: do not measure them", whole,
       Reads::evaluation},
      {"backselect_share", .1, "share of the pixels to keep", Range{0, 1, true}, Reads::evaluation},
      {"backselect_block", std::int64_t{1}, "side of the blocks of pixels to remove together", whole_from_one,
       Reads::evaluation},
      {"separate",
       false,
       "also compare the parent with a separately trained, unpruned network, as a reference for distances",
       {},
       Reads::evaluation},
      {"latency", false, "time forward passes at batch 1 and 64, dense and pruned in turn", {}, Reads::evaluation},
  });
  return all;
}

std::vector<std::string> reads(const Values& values) {
  std::vector<std::string> keys = data::data_keys_read(values);
  const auto add = [&](const std::vector<std::string>& more) { keys.insert(keys.end(), more.begin(), more.end()); };
  add({"model", "dropout", "pipeline", "epochs", "batch", "lr", "momentum", "nesterov", "weight_decay", "milestones",
       "gamma", "augment", "noise_images", "backselect_images", "latency", "corruptions"});
  if (text_in(values, "corruptions") != "none") add({"severities"});
  if (names_frost(text_in(values, "corruptions"))) add({"frost_dir"});
  if (text_in(values, "augment") != "none") add({"augment_mix"});
  if (integer_in(values, "noise_images") > 0) add({"noise_levels", "noise_draws", "noise_units"});
  if (integer_in(values, "backselect_images") > 0) add({"backselect_share", "backselect_block"});
  if (integer_in(values, "noise_images") + integer_in(values, "backselect_images") > 0) add({"separate"});
  const Pipeline& pipeline = pipeline_of(values);
  if (!pipeline.prunes) return keys;
  add({"method", "grid", "retrain_every", "retrain_epochs", "structure", "deltas"});
  if (normalises(values)) add({"recalibrate"});
  if (pipeline.rewinds) add({"rewind_epoch"});
  const Method& method = method_of(values);
  if (method.reads_samples) add({"sample_size"});
  if (!method.structured()) add({"prune_classifier"});
  if (method.rule == Rule::lottery) add({"lth_rule"});
  if (compares_weights(method)) add({"scope", "exact"});
  if (method.rule == Rule::groups) add({"scope", "reduce", "norm", "round_to", "max_group_ratio"});
  if (enforces_min_keep(values)) add({"min_keep"});
  return keys;
}

bool enforces_min_keep(const Values& values) {
  const StepOptions cut = step_options(values);
  return cut.exact && compares_weights(*cut.method) && cut.scope.value_or(cut.method->rule) == Rule::best;
}

const Method& method_of(const Values& values) {
  return find_method(text_in(values, "method"));
}
const Pipeline& pipeline_of(const Values& values) {
  return find_pipeline(text_in(values, "pipeline"));
}
nn::Architecture architecture_of(const Values& values) {
  return nn::parse_architecture(text_in(values, "model"), "model");
}
bool is_script(const Values& values) {
  return workloads::names_script(text_in(values, "model"));
}
Network network_of(const Values& values) {
  return pruning::network_of(architecture_of(values), data::image_shape(values), data::classes_of(values));
}
std::vector<double> grid_of(const Values& values) {
  return pipeline_of(values).prunes ? grid(text_in(values, "grid")) : std::vector<double>{};
}

std::vector<double> retrained_grid(const Values& values) {
  return retrained(grid_of(values), static_cast<std::size_t>(lengths_of(values).every));
}

Lengths lengths_of(const Values& values) {
  const std::int64_t parent = integer_in(values, "epochs"), given = integer_in(values, "retrain_epochs");
  return {.parent = parent, .retraining = given == 0 ? parent : given, .every = integer_in(values, "retrain_every")};
}

StepOptions step_options(const Values& values) {
  StepOptions options{
      .method = &method_of(values),
      .scope = {},
      .exact = flag_in(values, "exact"),
      .min_keep = integer_in(values, "min_keep"),
      .prune_classifier = flag_in(values, "prune_classifier"),
      .lottery = text_in(values, "lth_rule") == "exact" ? LotteryRule::exact : LotteryRule::openlth,
      .level = level_fraction(text_in(values, "grid")),
      .reduce = reduce_from(text_in(values, "reduce")),
      .scaling = scaling_from(text_in(values, "norm")),
      .group = {.round_to = integer_in(values, "round_to"), .max_group_ratio = number_in(values, "max_group_ratio")}};
  // [set] may name a scope for variants that read it, together with methods whose rule has none.
  const bool scoped = compares_weights(*options.method) || options.method->rule == Rule::groups;
  if (scoped && text_in(values, "scope") != "method")
    options.scope = text_in(values, "scope") == "global" ? Rule::best : Rule::share;
  return options;
}

const data::Operator* augmentation_of(const Values& values) {
  const std::string& name = text_in(values, "augment");
  return name == "none" ? nullptr : &data::find_augmentation(name);
}

std::string augmentation_source(const Values& values) {
  const std::string& name = text_in(values, "augment");
  return name == "none" ? "" : name == "mix1" ? "corrupt" : "augmentation";
}

std::vector<double> deltas_of(const Values& values) {
  std::vector<double> found = numbers(values, "deltas", -100, 100, "numbers from -100 to 100, in percentage points");
  if (found.empty()) throw InvalidInput("deltas", "", "at least one number, in percentage points");
  for (const double delta : found)
    if (!data::parse_rational(results::text_of(std::abs(delta))))
      throw InvalidInput("deltas", results::text_of(delta),
                         "numbers of at most 18 decimals: errors are compared exactly");
  return found;
}

std::vector<double> noise_levels_of(const Values& values) {
  return numbers(values, "noise_levels", 0, 1e6, "numbers from 0 to 1e6");
}

std::vector<std::string> noise_names(const Values& values) {
  std::vector<std::string> names;
  if (integer_in(values, "noise_images") == 0) return names;
  for (const double level : noise_levels_of(values)) names.push_back(noise_metric("noise", level));
  return names;
}

std::string noise_metric(const std::string& name, double level) {
  return name + "_" + results::text_of(level);
}

}  // namespace retrial::pruning::inline keys
