#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "determinism/kernels/parts.hpp"

namespace retrial::determinism::inline kernels {

inline constexpr unsigned threads_per_block = 256;
inline constexpr std::uint64_t max_blocks = 4096;  // enough to fill any device; the loops of the bodies do the rest

inline void demand(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

/// `work` blocks at most; a launch without blocks is an error, so its caller leaves it out.
inline unsigned blocks_for(std::uint64_t work) {
  return static_cast<unsigned>(std::min(work, max_blocks));
}

__device__ __forceinline__ Where here() {
  return {blockIdx.x, gridDim.x, threadIdx.x, blockDim.x};
}

}  // namespace retrial::determinism::inline kernels
