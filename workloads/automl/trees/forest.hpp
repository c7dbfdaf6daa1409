#pragma once

#include <memory>

#include "workloads/automl/models/model.hpp"
#include "workloads/automl/trees/tree.hpp"

/// Our own forests. Of packaged ones, OpenCV's draws from a global generator and has no random edges, dlib's predicts
/// values only, and the forest mode of XGBoost fits gradients, so that it has neither class shares nor entropy.
namespace retrial::automl::inline trees {

struct ForestSettings {
  std::int64_t trees = 100, max_leaves = 32768;
  double max_features = 1;  ///< share of the columns that a node tries
  Criterion criterion = Criterion::gini;
  bool extra = false;  ///< all rows and random edges; else a bootstrap sample and the best edges
};

[[nodiscard]] std::unique_ptr<Model> fit_forest(const Training& training, const ForestSettings& settings,
                                                const FitSeeds& seeds, std::size_t threads);

}  // namespace retrial::automl::inline trees
