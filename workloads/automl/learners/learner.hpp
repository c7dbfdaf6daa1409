#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "workloads/automl/models/model.hpp"
#include "workloads/automl/models/parameters.hpp"
#include "workloads/automl/networks/perceptron.hpp"

namespace retrial::automl::inline learners {

/// What a space depends on.
struct Extent {
  Task task = Task::binary;
  std::uint64_t rows = 0, columns = 0;  ///< of the training part; after encoding
  std::uint64_t classes = 0;            ///< 0 for regression

  /// Trees of a round of boosting.
  [[nodiscard]] std::uint64_t outputs() const { return task == Task::multiclass ? classes : 1; }
};
[[nodiscard]] Extent extent_of(const DataSet& data, std::size_t rows);

/// Trees and their leaves, 0 of a model without, and the shares of rows and columns that a tree looks at.
struct TreeCounts {
  std::uint64_t trees = 0, leaves = 0;
  double rows_share = 1, columns_share = 1;
};

/// The formula of its cost.
enum class CostRule { one, boosted, forest, logistic, network };

/// A kind of model that a search can choose.
struct Learner {
  std::string name, summary;
  bool values = true;  ///< fits regression too
  CostRule cost = CostRule::one;
  /// P/Q: microseconds of CPU time that a unit of that formula took in studies/automl-costs.toml, the geometric mean. A
  /// unit of the budget is so about a microsecond of every learner.
  std::string cost_scale = "1";
  double starting_ratio = 1;  ///< cost of a first success, relative to LightGBM (FLAML)
  std::function<std::vector<Hyperparameter>(const Extent&)> space;
  std::function<TreeCounts(const Chosen&, const Extent&)> trees;
  std::function<std::unique_ptr<Model>(const Training&, const Chosen&, const FitSeeds&, std::size_t threads)> fit;
  /// Why it cannot be used here; empty: it can.
  std::function<std::string()> absent;
  /// Name, version and SHA-256 of the library; of our own learners the version of their rule.
  std::function<std::string()> version;
};

/// In the order in which a search takes them by default.
[[nodiscard]] const std::vector<Learner>& all_learners();
/// Null for a name that no learner has.
[[nodiscard]] const Learner* learner_if_known(const std::string& name);
[[nodiscard]] std::vector<std::string> learners_for(Task task);
/// Those of a search that names none: lgbm, xgboost, rf, extra_tree, xgb_limitdepth and, of classes, lrl1. Not mlp, so
/// that a search is the same with and without LibTorch.
[[nodiscard]] std::vector<std::string> default_learners(Task task);
/// Throws Error: usage for an unknown name, with the nearest, and for a learner of classes on a task of values;
/// incomparable for one that is absent, with the reason, the learners that are there, and the command that fetches it.
[[nodiscard]] const Learner& require_learner(const std::string& name, Task task);

[[nodiscard]] PerceptronSettings perceptron_settings(const Chosen& chosen);

/// Upper bound of the bytes of a model with these trees, by formula: the size guard never asks for free memory.
[[nodiscard]] std::uint64_t model_bytes(const TreeCounts& counts);
/// Trees times leaves; 1 of a linear model.
[[nodiscard]] std::uint64_t complexity(const TreeCounts& counts);

/// A configuration that is known by name: forest500, xgb100, xgb500, logistic, mlp, xgb-default, lgbm-default,
/// constant.
struct Reference {
  std::string name, summary, learner;
  std::function<Chosen(const Extent&)> configuration;
};
[[nodiscard]] const std::vector<Reference>& all_references();
[[nodiscard]] const Reference* reference_if_known(const std::string& name);

}  // namespace retrial::automl::inline learners
