#include "determinism/kernels/launch.cuh"
#include "determinism/seeds/drop.hpp"

namespace retrial::determinism::inline seeds {
namespace {

__global__ void __launch_bounds__(threads_per_block) drop_all(const float* x, float* y, std::uint64_t n, Drop drop) {
  drop_elements(x, y, n, drop, here());
}

}  // namespace

void drop_on_device(const float* x, float* y, std::uint64_t n, const Drop& drop, void* stream) {
  if (n == 0) return;
  const std::uint64_t blocks = (n + threads_per_block - 1) / threads_per_block;
  drop_all<<<blocks_for(blocks), threads_per_block, 0, static_cast<cudaStream_t>(stream)>>>(x, y, n, drop);
  demand(cudaGetLastError(), "dropout kernel");
}

}  // namespace retrial::determinism::inline seeds
