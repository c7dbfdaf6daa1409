#include "workloads/automl/learners/learner.hpp"

#include <algorithm>
#include <cmath>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/automl/boosting/boosting.hpp"
#include "workloads/automl/boosting/lightgbm_api.hpp"
#include "workloads/automl/boosting/xgboost_api.hpp"
#include "workloads/automl/datasets/refusal.hpp"
#include "workloads/automl/learners/spaces.hpp"
#include "workloads/automl/linear/logistic.hpp"
#include "workloads/automl/models/constant.hpp"
#include "workloads/automl/trees/forest.hpp"

namespace retrial::automl::inline learners {
namespace {

const std::string set_up_line =
    "scripts/setup --core fetches XGBoost and LightGBM (9 MB); RETRIAL_XGBOOST and RETRIAL_LIGHTGBM name other copies";
constexpr std::int64_t unlimited_leaves = 32768, deepest_count = 40;

std::string nothing_missing() {
  return {};
}
std::string missing_without_torch() {
#ifdef RETRIAL_NO_TORCH
  return "this build has no LibTorch";
#else
  return {};
#endif
}
std::string own_version() {
  return "1";
}

TreeCounts tree_counts(const Chosen& chosen, const Extent& extent, std::uint64_t leaves) {
  return {.trees = static_cast<std::uint64_t>(whole(chosen, "n_estimators", 100)),
          .leaves = std::clamp<std::uint64_t>(leaves, 2, std::max<std::uint64_t>(2, extent.rows)),
          .rows_share = number(chosen, "subsample", 1),
          .columns_share = number(chosen, "colsample_bytree", 1) * number(chosen, "colsample_bylevel", 1) *
                           number(chosen, "max_features", 1)};
}

TreeCounts leaves_counted(const Chosen& chosen, const Extent& extent, const char* leaves) {
  const auto asked = static_cast<std::uint64_t>(whole(chosen, leaves, unlimited_leaves));
  return tree_counts(chosen, extent, asked);
}

TreeCounts depth_counted(const Chosen& chosen, const Extent& extent) {
  const std::int64_t depth = std::min(whole(chosen, "max_depth", 6), deepest_count);
  return tree_counts(chosen, extent, std::uint64_t{1} << depth);
}

BoostingSettings boosting_settings(const Chosen& chosen) {
  return {.rounds = whole(chosen, "n_estimators", 100),
          .learning_rate = number(chosen, "learning_rate", 0.3),
          .min_child_weight = number(chosen, "min_child_weight", 1),
          .min_child_samples = whole(chosen, "min_child_samples", 20),
          .max_bin = (std::int64_t{1} << whole(chosen, "log_max_bin", 8)) - 1,
          .subsample = number(chosen, "subsample", 1),
          .columns_by_tree = number(chosen, "colsample_bytree", 1),
          .columns_by_level = number(chosen, "colsample_bylevel", 1),
          .alpha = number(chosen, "reg_alpha", 0),
          .lambda = number(chosen, "reg_lambda", 1)};
}

std::unique_ptr<Model> leafwise_xgboost(const Training& training, const Chosen& chosen, const FitSeeds& seeds,
                                        std::size_t threads) {
  BoostingSettings settings = boosting_settings(chosen);
  settings.max_leaves = whole(chosen, "max_leaves", 31);
  return fit_xgboost(training, settings, seeds, threads);
}

std::unique_ptr<Model> depthwise_xgboost(const Training& training, const Chosen& chosen, const FitSeeds& seeds,
                                         std::size_t threads) {
  BoostingSettings settings = boosting_settings(chosen);
  settings.max_depth = whole(chosen, "max_depth", 6);
  return fit_xgboost(training, settings, seeds, threads);
}

std::unique_ptr<Model> leafwise_lightgbm(const Training& training, const Chosen& chosen, const FitSeeds& seeds,
                                         std::size_t threads) {
  BoostingSettings settings = boosting_settings(chosen);
  settings.max_leaves = whole(chosen, "num_leaves", 31);
  return fit_lightgbm(training, settings, seeds, threads);
}

auto forest_fit(bool extra) {
  return [extra](const Training& training, const Chosen& chosen, const FitSeeds& seeds, std::size_t threads) {
    const ForestSettings settings{
        .trees = whole(chosen, "n_estimators", 100),
        .max_leaves = whole(chosen, "max_leaves", unlimited_leaves),
        .max_features = number(chosen, "max_features", 1),
        .criterion = whole(chosen, "criterion", 0) == 0 ? Criterion::gini : Criterion::entropy,
        .extra = extra};
    return fit_forest(training, settings, seeds, threads);
  };
}

auto logistic_fit(Penalty penalty) {
  return [penalty](const Training& training, const Chosen& chosen, const FitSeeds&, std::size_t) {
    return fit_logistic(training, {.penalty = penalty, .c = number(chosen, "C", 1)});
  };
}

std::string xgboost_version() {
  int major = 0, minor = 0, patch = 0;
  xgboost_api().version(&major, &minor, &patch);
  return "xgboost " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch) + " " +
         xgboost_api().library.sha256();
}

/// The library has no function that tells its version: it is known by its bytes.
std::string lightgbm_version() {
  const std::string& sha256 = lightgbm_api().library.sha256();
  const bool pinned = sha256 == "573d57e8a2c6290c2271b99b87afa7a802e796eafc9e8d66aefa0913cbc1616a";
  return std::string("lightgbm ") + (pinned ? "4.7.0 " : "of another version ") + sha256;
}

TreeCounts no_trees(const Chosen&, const Extent&) {
  return {};
}
TreeCounts leaf_trees(const Chosen& chosen, const Extent& extent) {
  return leaves_counted(chosen, extent, "max_leaves");
}

}  // namespace

Extent extent_of(const DataSet& data, std::size_t rows) {
  return {.task = data.task, .rows = rows, .columns = data.columns(), .classes = data.classes.size()};
}

const std::vector<Learner>& all_learners() {
  static const std::vector<Learner> table{
      {.name = "lgbm",
       .summary = "LightGBM, leaf by leaf",
       .cost = CostRule::boosted,
       .cost_scale = "13/10",
       .space = lightgbm_space,
       .trees = [](const Chosen& chosen, const Extent& extent) { return leaves_counted(chosen, extent, "num_leaves"); },
       .fit = leafwise_lightgbm,
       .absent = [] { return lightgbm_api().library.absent(); },
       .version = lightgbm_version},
      {.name = "xgboost",
       .summary = "XGBoost, histograms, leaf by leaf",
       .cost = CostRule::boosted,
       .cost_scale = "27/5",
       .starting_ratio = 1.6,
       .space = xgboost_space,
       .trees = leaf_trees,
       .fit = leafwise_xgboost,
       .absent = [] { return xgboost_api().library.absent(); },
       .version = xgboost_version},
      {.name = "rf",
       .summary = "random forest",
       .cost = CostRule::forest,
       .cost_scale = "5/3",
       .starting_ratio = 2,
       .space = forest_space,
       .trees = leaf_trees,
       .fit = forest_fit(false),
       .absent = nothing_missing,
       .version = own_version},
      {.name = "extra_tree",
       .summary = "extremely randomised trees",
       .cost = CostRule::forest,
       .cost_scale = "11/6",
       .starting_ratio = 1.9,
       .space = forest_space,
       .trees = leaf_trees,
       .fit = forest_fit(true),
       .absent = nothing_missing,
       .version = own_version},
      {.name = "xgb_limitdepth",
       .summary = "XGBoost, histograms, level by level",
       .cost = CostRule::boosted,
       .cost_scale = "26/5",
       .starting_ratio = 64,
       .space = limited_depth_space,
       .trees = depth_counted,
       .fit = depthwise_xgboost,
       .absent = [] { return xgboost_api().library.absent(); },
       .version = xgboost_version},
      {.name = "lrl1",
       .summary = "logistic regression, L1",
       .values = false,
       .cost = CostRule::logistic,
       .cost_scale = "2",
       .starting_ratio = 160,
       .space = logistic_space,
       .trees = no_trees,
       .fit = logistic_fit(Penalty::l1),
       .absent = nothing_missing,
       .version = own_version},
      {.name = "lrl2",
       .summary = "logistic regression, L2",
       .values = false,
       .cost = CostRule::logistic,
       .cost_scale = "8/3",
       .starting_ratio = 25,
       .space = logistic_space,
       .trees = no_trees,
       .fit = logistic_fit(Penalty::l2),
       .absent = nothing_missing,
       .version = own_version},
      {.name = "mlp",
       .summary = "perceptron on LibTorch",
       .cost = CostRule::network,
       .starting_ratio = 25,
       .space = perceptron_space,
       .trees = no_trees,
       .fit = [](const Training& training, const Chosen& chosen, const FitSeeds& seeds,
                 std::size_t) { return fit_perceptron(training, perceptron_settings(chosen), seeds); },
       .absent = missing_without_torch,
       .version = own_version},
      {.name = "constant",
       .summary = "the shares of the classes, or the mean: nothing to search",
       .space = [](const Extent&) { return std::vector<Hyperparameter>{}; },
       .trees = no_trees,
       .fit = [](const Training& training, const Chosen&, const FitSeeds&,
                 std::size_t) { return fit_constant(training); },
       .absent = nothing_missing,
       .version = own_version},
  };
  return table;
}

const Learner* learner_if_known(const std::string& name) {
  const auto& table = all_learners();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Learner& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> default_learners(Task task) {
  std::vector<std::string> names;
  for (const std::string& name : learners_for(task))
    if (name != "lrl2" && name != "mlp" && name != "constant") names.push_back(name);
  return names;
}

std::vector<std::string> learners_for(Task task) {
  std::vector<std::string> names;
  for (const Learner& learner : all_learners())
    if (learner.values || task != Task::regression) names.push_back(learner.name);
  return names;
}

const Learner& require_learner(const std::string& name, Task task) {
  const auto allowed = learners_for(task);
  const Learner* learner = learner_if_known(name);
  if (learner == nullptr || std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
    const auto near = results::nearest(name, allowed);
    refuse_key("automl.learner", "learners", name,
               learner == nullptr ? "unknown learner" : "it fits classes only, and the task is regression",
               results::joined(allowed), near ? "did you mean " + *near + "?" : "");
  }
  const std::string reason = learner->absent();
  if (reason.empty()) return *learner;
  std::vector<std::string> present;
  for (const std::string& other : allowed)
    if (learner_if_known(other)->absent().empty()) present.push_back(other);
  throw Error({.exit = Exit::incomparable,
               .code = "automl.learner_absent",
               .where = "",
               .field = "automl.learners",
               .value = name,
               .problem = "not available: " + reason,
               .allowed = results::joined(present),
               .help = set_up_line});
}

PerceptronSettings perceptron_settings(const Chosen& chosen) {
  return {.epochs = whole(chosen, "epochs", 3),
          .batch = whole(chosen, "batch_size", 128),
          .layers = whole(chosen, "layers", 1),
          .units = whole(chosen, "units", 64),
          .learning_rate = number(chosen, "learning_rate", 1e-2),
          .momentum = number(chosen, "momentum", 0.9),
          .weight_decay = number(chosen, "weight_decay", 1e-4),
          .dropout = number(chosen, "dropout", 0)};
}

std::uint64_t model_bytes(const TreeCounts& counts) {
  if (counts.trees == 0) return 0;
  return 8 * counts.trees * (3 * counts.leaves + 4 * (counts.leaves - 1) + 1);
}

std::uint64_t complexity(const TreeCounts& counts) {
  return counts.trees == 0 ? 1 : counts.trees * counts.leaves;
}

}  // namespace retrial::automl::inline learners
