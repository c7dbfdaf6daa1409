#include "determinism/kernels/launch.cuh"
#include "determinism/kernels/segment_sum.hpp"

namespace retrial::determinism::inline kernels {
namespace {

__device__ std::uint32_t first_of_thread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ std::uint32_t all_threads() {
  return gridDim.x * blockDim.x;
}

__global__ void sum_atomic(SegmentInput in, float* out) {
  for (std::uint32_t i = first_of_thread(); i < in.n; i += all_threads()) atomicAdd(&out[in.segments[i]], in.values[i]);
}

__global__ void sum_sorted(SegmentInput in, float* out) {
  for (std::uint32_t s = first_of_thread(); s < in.count; s += all_threads()) out[s] = sorted_sum(in, s);
}

__global__ void __launch_bounds__(tree_threads) sum_tree(SegmentInput in, float* out) {
  __shared__ float leaves[tree_threads];
  for (std::uint32_t s = blockIdx.x; s < in.count; s += gridDim.x) {
    leaves[threadIdx.x] = tree_leaf(in, s, threadIdx.x);
    for (unsigned half = tree_threads / 2; half > 0; half /= 2) {
      __syncthreads();
      tree_level(leaves, half, threadIdx.x);
    }
    if (threadIdx.x == 0) out[s] = leaves[0];
    __syncthreads();
  }
}

__global__ void sum_integer(SegmentInput in, IntegerScratch scratch) {
  for (std::uint32_t i = first_of_thread(); i < in.n; i += all_threads()) {
    const Fixed value = fixed_of(in.values[i], scratch.bits);
    atomicAdd(&scratch.sums[in.segments[i]], static_cast<unsigned long long>(value.units));
    if (!value.exact) atomicAdd(scratch.inexact, 1ULL);
  }
}

__global__ void floats_of_sums(IntegerScratch scratch, std::uint32_t count, float* out) {
  for (std::uint32_t s = first_of_thread(); s < count; s += all_threads())
    out[s] = float_of(static_cast<std::int64_t>(scratch.sums[s]), scratch.bits);
}

unsigned blocks_of(std::uint32_t threads) {
  return blocks_for((std::uint64_t{threads} + threads_per_block - 1) / threads_per_block);
}

void sum_integers(const SegmentInput& in, float* out, const IntegerScratch& scratch, cudaStream_t on) {
  demand(cudaMemsetAsync(scratch.sums, 0, in.count * sizeof *scratch.sums, on), "cudaMemsetAsync");
  demand(cudaMemsetAsync(scratch.inexact, 0, sizeof *scratch.inexact, on), "cudaMemsetAsync");
  sum_integer<<<blocks_of(in.n), threads_per_block, 0, on>>>(in, scratch);
  floats_of_sums<<<blocks_of(in.count), threads_per_block, 0, on>>>(scratch, in.count, out);
}

}  // namespace

void segment_sum_on_device(SumForm form, const SegmentInput& in, float* out, const IntegerScratch& scratch,
                           void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  switch (form) {
    case SumForm::atomic:
      demand(cudaMemsetAsync(out, 0, in.count * sizeof *out, on), "cudaMemsetAsync");
      sum_atomic<<<blocks_of(in.n), threads_per_block, 0, on>>>(in, out);
      break;
    case SumForm::sorted:
      sum_sorted<<<blocks_of(in.count), threads_per_block, 0, on>>>(in, out);
      break;
    case SumForm::tree:
      sum_tree<<<blocks_for(in.count), tree_threads, 0, on>>>(in, out);
      break;
    case SumForm::integer:
      sum_integers(in, out, scratch, on);
      break;
  }
  demand(cudaGetLastError(), "segment sum kernel");
}

}  // namespace retrial::determinism::inline kernels
