#include "workloads/pruning/observations/latency_torch.hpp"

#include <algorithm>
#include <array>

#include "workloads/interface/trial/stopwatch.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"

namespace retrial::pruning::inline observations {
namespace {

double milliseconds(const nn::Model& model, const at::Tensor& images) {
  double seconds = 0;
  {
    const workloads::Stopwatch watch(seconds);
    (void)nn::logits_of(model, images);
  }
  return 1000 * seconds;
}

}  // namespace

Latencies interleaved_latencies(const nn::Model& dense, const nn::Model& pruned, const at::Tensor& images,
                                std::int64_t batch) {
  constexpr std::size_t repeats = 9;
  const at::Tensor some = images.narrow(0, 0, std::min(batch, images.size(0)));
  (void)milliseconds(dense, some);  // warm-up
  (void)milliseconds(pruned, some);
  std::array<double, repeats> of_dense{}, of_pruned{};
  for (std::size_t i = 0; i < repeats; ++i) {
    of_dense[i] = milliseconds(dense, some);
    of_pruned[i] = milliseconds(pruned, some);
  }
  std::sort(of_dense.begin(), of_dense.end());
  std::sort(of_pruned.begin(), of_pruned.end());
  return {of_dense[repeats / 2], of_pruned[repeats / 2]};
}

}  // namespace retrial::pruning::inline observations
