#pragma once

#include "workloads/nn/layers/model_torch.hpp"

namespace retrial::pruning::inline observations {

/// Milliseconds of one forward pass: medians of nine, dense and pruned in turn, so that disturbances of the machine
/// affect both. Costs, which enter no digest.
struct Latencies {
  double dense_ms = 0, pruned_ms = 0;
};
[[nodiscard]] Latencies interleaved_latencies(const nn::Model& dense, const nn::Model& pruned, const at::Tensor& images,
                                              std::int64_t batch);

}  // namespace retrial::pruning::inline observations
