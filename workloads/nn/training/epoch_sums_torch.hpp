#pragma once

#include <memory>

#include "workloads/nn/training/optimizer_torch.hpp"
#include "workloads/nn/training/training_torch.hpp"

namespace retrial::nn::inline training {

/// Adds up the objective of an epoch and its terms, and finds the step whose objective was not finite: on the host
/// after each step; on a GPU by kernels, so that no step waits, with the same sums.
class EpochSums {
 public:
  virtual ~EpochSums() = default;
  virtual void begin() = 0;
  /// After the forward pass of a step, before its update. False where the training is known to have ended.
  [[nodiscard]] virtual bool add(const std::vector<Term>& terms, std::int64_t rows, std::int64_t step) = 0;
  /// Whether it has ended; on a GPU the host waits.
  [[nodiscard]] virtual bool ended() const = 0;
  /// The sums, not divided by samples. On a GPU the host waits.
  [[nodiscard]] virtual EpochReport report() const = 0;
  /// On a GPU: the byte that updates obey; else null.
  [[nodiscard]] virtual const std::uint8_t* proceed() const { return nullptr; }
};

/// The objective of one step; on a GPU the host waits.
[[nodiscard]] double objective_of(const std::vector<Term>& terms);

/// `kept`: tensors that forward passes change.
[[nodiscard]] std::unique_ptr<EpochSums> epoch_sums(const at::Device& device, const NamedTensors& kept);

}  // namespace retrial::nn::inline training
