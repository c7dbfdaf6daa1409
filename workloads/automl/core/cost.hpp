#pragma once

#include <cstdint>

#include "workloads/automl/core/cost_scale.hpp"

namespace retrial::automl::inline core {

/// floor(1024 log2 x) for 1 <= x < 33,000 by integers alone; x >= 1.
[[nodiscard]] std::int64_t ilog2_q10(std::uint64_t x);

/// What a fit of trees is counted by. Shares are in thousandths.
struct TreeWork {
  std::uint64_t trees = 0, outputs = 1, rows = 0, rows_share = 1000, columns = 0, columns_share = 1000, leaves = 2;
};
/// Cost units of boosted trees, at least 1; about a microsecond each, as far as the scale makes them so. Exact up to
/// 2^107 operations.
[[nodiscard]] std::int64_t tree_cost(const TreeWork& work, const CostScale& scale = {});
/// Of a forest: classes in place of outputs (1 of regression), rows are drawn whole.
[[nodiscard]] std::int64_t forest_cost(const TreeWork& work, const CostScale& scale = {});
/// iterations * rows * (columns + 1) * outputs / 1000, at least 1.
[[nodiscard]] std::int64_t logistic_cost(std::uint64_t iterations, std::uint64_t rows, std::uint64_t columns,
                                         std::uint64_t outputs, const CostScale& scale = {});

/// What the training of a perceptron is counted by.
struct NetworkWork {
  std::uint64_t epochs = 1, rows = 0, batch = 1, layers = 1, units = 1, weights = 0;
};
/// Epochs times .3 rows weights / 1000 (products), 12 batches weights / 1000 (updates), 45 rows layers units / 1000
/// (activations and masks), 320 batches (layers + 1) (calls), at least 1. Fitted to 116 trainings on one thread: rank
/// correlation with CPU time .97, median factor 1.4; rows times weights alone have .82.
[[nodiscard]] std::int64_t network_cost(const NetworkWork& work, const CostScale& scale = {});

}  // namespace retrial::automl::inline core
