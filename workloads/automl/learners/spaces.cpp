#include "workloads/automl/learners/spaces.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace retrial::automl::inline learners {
namespace {

using Kind = Hyperparameter::Kind;

constexpr double smallest_rate = 1.0 / 1024;
constexpr std::uint64_t most_counted = 32768;  // trees or leaves

double up_to(std::uint64_t limit, std::uint64_t rows) {
  return static_cast<double>(std::max<std::uint64_t>(5, std::min(limit, rows)));
}

/// Counts that a search raises from 4.
Hyperparameter counted(const std::string& name, double high, double init = 4) {
  return {
      .name = name, .kind = Kind::log_integer, .low = 4, .high = high, .init = std::min(init, high - 1), .cheapest = 4};
}

std::vector<Hyperparameter> boosted(double rate) {
  return {{.name = "learning_rate", .kind = Kind::log, .low = smallest_rate, .high = 1, .init = rate},
          {.name = "reg_alpha", .kind = Kind::log, .low = smallest_rate, .high = 1024, .init = smallest_rate},
          {.name = "reg_lambda", .kind = Kind::log, .low = smallest_rate, .high = 1024, .init = 1},
          {.name = "colsample_bytree", .kind = Kind::linear, .low = 0.01, .high = 1, .init = 1}};
}

std::vector<Hyperparameter> xgboost_alike(double rate) {
  auto space = boosted(rate);
  space.push_back({.name = "min_child_weight", .kind = Kind::log, .low = 0.001, .high = 128, .init = 1});
  space.push_back({.name = "subsample", .kind = Kind::linear, .low = 0.1, .high = 1, .init = 1});
  space.push_back({.name = "colsample_bylevel", .kind = Kind::linear, .low = 0.01, .high = 1, .init = 1});
  return space;
}

}  // namespace

std::vector<Hyperparameter> xgboost_space(const Extent& extent) {
  auto space = xgboost_alike(0.1);
  space.push_back(counted("n_estimators", up_to(most_counted, extent.rows)));
  space.push_back(counted("max_leaves", up_to(most_counted, extent.rows)));
  return space;
}

std::vector<Hyperparameter> limited_depth_space(const Extent& extent) {
  auto space = xgboost_alike(0.3);
  const int log2 = static_cast<int>(std::bit_width(std::max<std::uint64_t>(extent.rows, 1))) - 1;
  const int deepest = std::min(16, std::max(6, log2));
  space.push_back(counted("n_estimators", up_to(most_counted, extent.rows), 10));
  space.push_back(
      {.name = "max_depth", .kind = Kind::integer, .low = 1, .high = deepest + 1.0, .init = 6, .cheapest = 1});
  return space;
}

std::vector<Hyperparameter> lightgbm_space(const Extent& extent) {
  auto space = boosted(0.1);
  space.push_back(counted("n_estimators", up_to(most_counted, extent.rows)));
  space.push_back(counted("num_leaves", up_to(most_counted, extent.rows)));
  space.push_back({.name = "min_child_samples", .kind = Kind::log_integer, .low = 2, .high = 129, .init = 20});
  space.push_back({.name = "log_max_bin", .kind = Kind::log_integer, .low = 3, .high = 11, .init = 8});
  return space;
}

std::vector<Hyperparameter> forest_space(const Extent& extent) {
  const double root_share = 1 / std::sqrt(static_cast<double>(std::max<std::uint64_t>(extent.columns, 1)));
  const bool classes = extent.task != Task::regression;
  std::vector<Hyperparameter> space{counted("n_estimators", up_to(2048, extent.rows)),
                                    {.name = "max_features",
                                     .kind = Kind::log,
                                     .low = std::min(0.1, root_share),
                                     .high = 1,
                                     .init = classes ? root_share : 1.0},
                                    counted("max_leaves", up_to(most_counted, extent.rows / 2))};
  if (classes) space.push_back({.name = "criterion", .kind = Kind::choice, .init = 0, .choices = {"gini", "entropy"}});
  return space;
}

std::vector<Hyperparameter> logistic_space(const Extent&) {
  return {{.name = "C", .kind = Kind::log, .low = 0x1p-5, .high = 0x1p15, .init = 1}};
}

std::vector<Hyperparameter> perceptron_space(const Extent&) {
  return {{.name = "batch_size", .kind = Kind::log_integer, .low = 16, .high = 513, .init = 128},
          {.name = "learning_rate", .kind = Kind::log, .low = 1e-4, .high = 1e-1, .init = 1e-2},
          {.name = "momentum", .kind = Kind::linear, .low = 0.1, .high = 0.99, .init = 0.9},
          {.name = "weight_decay", .kind = Kind::log, .low = 1e-5, .high = 1e-1, .init = 1e-4},
          {.name = "layers", .kind = Kind::integer, .low = 1, .high = 6, .init = 1, .cheapest = 1},
          {.name = "units", .kind = Kind::log_integer, .low = 64, .high = 1025, .init = 64, .cheapest = 64},
          {.name = "dropout", .kind = Kind::linear, .low = 0, .high = 0.8, .init = 0},
          {.name = "epochs", .kind = Kind::log_integer, .low = 1, .high = 53, .init = 3, .cheapest = 3}};
}

}  // namespace retrial::automl::inline learners
