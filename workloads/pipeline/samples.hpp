#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workloads/interface/trial/run.hpp"
#include "workloads/pipeline/engine/engine.hpp"

namespace retrial::pipeline {

/// Rows of a task, each of one of `classes`.
struct Rows {
  std::int64_t classes = 0;
  std::vector<std::uint16_t> labels;
  std::function<void(std::size_t row, std::vector<float>& values)> read;  ///< for one thread at a time
};

/// `teacher4`, or images of files. The seed of data-split divides the latter.
struct Task {
  Rows train, test;
  std::string data;  ///< JSON about the images that were read; empty: none
};
[[nodiscard]] Task task_of(const workloads::Trial& trial, const workloads::Place& place);

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

/// Inputs and losses of the micro-batches of a run, whose rows stay where they are. Each is for one thread.
template <typename Real>
[[nodiscard]] Feed<Real> inputs_of(const Rows& rows, std::uint64_t order_seed, std::int64_t batch);
template <typename Real>
[[nodiscard]] LossOf<Real> losses_of(const Rows& rows, std::uint64_t order_seed, std::int64_t batch);

/// The pipeline of a trial at its start, on rows that stay where they are.
template <typename Real>
[[nodiscard]] Pipeline<Real> pipeline_of(const workloads::Trial& trial, const Rows& rows, const Method& method);

/// Percent of the rows whose largest output is that of their label. The lowest class wins a tie, NaN ranks last, and a
/// row of NaN answers class 0.
template <typename Real>
[[nodiscard]] double accuracy(const std::vector<Stage<Real>>& stages, const Rows& rows);

}  // namespace retrial::pipeline
