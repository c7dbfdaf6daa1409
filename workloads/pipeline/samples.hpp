#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/data/sets/teacher4.hpp"
#include "workloads/pipeline/engine/engine.hpp"

namespace retrial::pipeline {

/// The row of each sample of a run: one permutation of the rows per epoch, under derive(derive(seed, "order"), epoch).
class SampleOrder {
 public:
  SampleOrder(std::uint64_t seed, std::uint32_t rows) : seed_(seed), rows_(rows) {}
  [[nodiscard]] std::uint32_t row(std::int64_t sample);

 private:
  std::uint64_t seed_;
  std::uint32_t rows_;
  std::int64_t epoch_ = -1;
  std::vector<std::uint32_t> order_;
};

/// Inputs and losses of the micro-batches of a run. Each is for one thread.
template <typename Real>
[[nodiscard]] Feed<Real> inputs_of(const data::Teacher4::Part& part, std::uint64_t order_seed, std::int64_t batch);
template <typename Real>
[[nodiscard]] LossOf<Real> losses_of(const data::Teacher4::Part& part, std::uint64_t order_seed, std::int64_t batch);

/// Percent of the rows whose largest output is that of their label. The lowest class wins a tie, NaN ranks last, and a
/// row of NaN answers class 0.
template <typename Real>
[[nodiscard]] double accuracy(const std::vector<Stage<Real>>& stages, const data::Teacher4::Part& part);

}  // namespace retrial::pipeline
