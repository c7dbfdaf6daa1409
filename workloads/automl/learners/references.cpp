#include <algorithm>
#include <cmath>

#include "workloads/automl/learners/learner.hpp"

namespace retrial::automl::inline learners {
namespace {

using Whole = std::int64_t;

Chosen large_forest(const Extent& extent) {
  const double root_share = 1 / std::sqrt(static_cast<double>(std::max<std::uint64_t>(extent.columns, 1)));
  return {{"n_estimators", Whole{500}},
          {"max_features", extent.task == Task::regression ? 1.0 : root_share},
          {"max_leaves", Whole{32768}}};
}

Chosen depth_six(const Extent&) {
  return {{"n_estimators", Whole{100}}, {"max_depth", Whole{6}}, {"learning_rate", 0.3}, {"reg_alpha", 0.0}};
}

Chosen slow_boosting(const Extent&) {
  return {{"n_estimators", Whole{500}}, {"max_leaves", Whole{64}}, {"learning_rate", 0.05}, {"reg_alpha", 0.0}};
}

Chosen of_lightgbm(const Extent&) {
  return {{"n_estimators", Whole{100}},
          {"num_leaves", Whole{31}},
          {"learning_rate", 0.1},
          {"reg_alpha", 0.0},
          {"reg_lambda", 0.0}};
}

}  // namespace

const std::vector<Reference>& all_references() {
  static const std::vector<Reference> table{
      {"forest500", "a random forest of 500 trees, no cap of leaves", "rf", large_forest},
      {"xgb100", "XGBoost, 100 rounds, depth 6, rate 0.3", "xgb_limitdepth", depth_six},
      {"xgb500", "XGBoost, 500 rounds, 64 leaves, rate 0.05", "xgboost", slow_boosting},
      {"logistic", "logistic regression L2, C = 1", "lrl2",
       [](const Extent&) {
         return Chosen{{"C", 1.0}};
       }},
      {"mlp", "a perceptron, 2 layers of 128, rate 0.01, 20 epochs", "mlp",
       [](const Extent&) {
         return Chosen{{"layers", Whole{2}}, {"units", Whole{128}}, {"learning_rate", 1e-2}, {"epochs", Whole{20}}};
       }},
      {"xgb-default", "XGBoost under its own defaults", "xgb_limitdepth", depth_six},
      {"lgbm-default", "LightGBM under its own defaults", "lgbm", of_lightgbm},
      {"constant", "the shares of the classes, or the mean", "constant", [](const Extent&) { return Chosen{}; }},
  };
  return table;
}

const Reference* reference_if_known(const std::string& name) {
  const auto& table = all_references();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Reference& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace retrial::automl::inline learners
