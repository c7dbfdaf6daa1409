#pragma once

#include "workloads/automl/learners/learner.hpp"

/// Domains and starts of FLAML 2.6 (its documentation and source), with an inclusive bound of the depth.
namespace retrial::automl::inline learners {

[[nodiscard]] std::vector<Hyperparameter> xgboost_space(const Extent& extent);
[[nodiscard]] std::vector<Hyperparameter> limited_depth_space(const Extent& extent);
[[nodiscard]] std::vector<Hyperparameter> lightgbm_space(const Extent& extent);
[[nodiscard]] std::vector<Hyperparameter> forest_space(const Extent& extent);
[[nodiscard]] std::vector<Hyperparameter> logistic_space(const Extent& extent);
[[nodiscard]] std::vector<Hyperparameter> perceptron_space(const Extent& extent);

}  // namespace retrial::automl::inline learners
