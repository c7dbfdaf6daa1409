#pragma once

#include <memory>
#include <string>

#include "workloads/automl/models/model.hpp"

namespace retrial::automl::inline boosting {

/// Gradient boosted trees, in terms that both libraries have.
struct BoostingSettings {
  std::int64_t rounds = 100;
  std::int64_t max_leaves = 0;  ///< 0: none
  std::int64_t max_depth = 0;   ///< 0: none
  double learning_rate = 0.3;
  double min_child_weight = 1;          ///< XGBoost
  std::int64_t min_child_samples = 20;  ///< LightGBM
  std::int64_t max_bin = 255;           ///< LightGBM
  double subsample = 1, columns_by_tree = 1;
  double columns_by_level = 1;  ///< XGBoost
  double alpha = 0, lambda = 1;
};

/// Histogram trees of XGBoost's C interface; without a depth they grow best first, else level by level. Throws
/// TrialFailure "automl.learner_failed" with the library's text.
[[nodiscard]] std::unique_ptr<Model> fit_xgboost(const Training& training, const BoostingSettings& settings,
                                                 const FitSeeds& seeds, std::size_t threads);
/// The same of LightGBM, always under its options `deterministic` and `force_row_wise`.
[[nodiscard]] std::unique_ptr<Model> fit_lightgbm(const Training& training, const BoostingSettings& settings,
                                                  const FitSeeds& seeds, std::size_t threads);

}  // namespace retrial::automl::inline boosting
