#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "determinism/digest/psum2_cuda.hpp"
#include "determinism/digest/psum2_term.hpp"

namespace retrial::determinism::inline digest {
namespace {

constexpr unsigned threads_per_block = 256;
constexpr std::size_t max_blocks = 4096;  // enough to fill any device; a grid-stride loop does the rest
constexpr unsigned warp_lanes = 32;

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// A slice of a byte tensor may start at any address, and its last word may be incomplete.
__device__ std::uint64_t word_at(const unsigned char* data, std::size_t bytes, std::size_t index) {
  const unsigned char* place = data + index * sizeof(std::uint64_t);
  const std::size_t rest = bytes - index * sizeof(std::uint64_t);
  if (rest >= sizeof(std::uint64_t) && reinterpret_cast<std::uintptr_t>(place) % sizeof(std::uint64_t) == 0)
    return *reinterpret_cast<const std::uint64_t*>(place);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < sizeof word && i < rest; ++i) word |= std::uint64_t{place[i]} << (8 * i);
  return word;
}

__device__ std::uint64_t warp_sum(std::uint64_t value) {
  for (unsigned step = warp_lanes / 2; step > 0; step /= 2)
    value += __shfl_down_sync(0xffffffffu, static_cast<unsigned long long>(value), step);
  return value;
}

__global__ void add_lanes(const unsigned char* data, std::size_t bytes, std::size_t words, std::uint64_t first_word,
                          unsigned long long* lanes) {
  std::uint64_t lane0 = 0, lane1 = 0;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += stride) {
    const std::uint64_t key = psum2_steps::index_step * (first_word + i + 1);
    psum2_steps::add_term(word_at(data, bytes, i), key, lane0, lane1);
  }
  lane0 = warp_sum(lane0);
  lane1 = warp_sum(lane1);
  if (threadIdx.x % warp_lanes == 0) {
    atomicAdd(&lanes[0], static_cast<unsigned long long>(lane0));
    atomicAdd(&lanes[1], static_cast<unsigned long long>(lane1));
  }
}

/// Two zeroed words on the device, freed with the scope.
class DeviceLanes {
 public:
  explicit DeviceLanes(cudaStream_t stream) {
    check(cudaMalloc(&words_, 2 * sizeof(std::uint64_t)), "cudaMalloc");
    const cudaError_t cleared = cudaMemsetAsync(words_, 0, 2 * sizeof(std::uint64_t), stream);
    if (cleared != cudaSuccess) cudaFree(words_);
    check(cleared, "cudaMemsetAsync");
  }
  ~DeviceLanes() { cudaFree(words_); }
  DeviceLanes(const DeviceLanes&) = delete;
  DeviceLanes& operator=(const DeviceLanes&) = delete;
  std::uint64_t* get() const { return words_; }

 private:
  std::uint64_t* words_ = nullptr;
};

}  // namespace

void psum2_add_on_device(const void* data, std::size_t bytes, std::uint64_t first_word, std::uint64_t* lanes,
                         void* stream) {
  const std::size_t words = bytes / sizeof(std::uint64_t) + (bytes % sizeof(std::uint64_t) != 0);
  if (words == 0) return;  // a launch without blocks is an error
  const std::size_t blocks = std::min((words + threads_per_block - 1) / threads_per_block, max_blocks);
  add_lanes<<<static_cast<unsigned>(blocks), threads_per_block, 0, static_cast<cudaStream_t>(stream)>>>(
      static_cast<const unsigned char*>(data), bytes, words, first_word, reinterpret_cast<unsigned long long*>(lanes));
  check(cudaGetLastError(), "psum2 kernel");
}

Lanes psum2_part_on_device(const void* data, std::size_t bytes, std::uint64_t first_word, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  const DeviceLanes lanes(on);
  psum2_add_on_device(data, bytes, first_word, lanes.get(), stream);
  std::uint64_t sums[2] = {};
  check(cudaMemcpyAsync(sums, lanes.get(), sizeof sums, cudaMemcpyDeviceToHost, on), "cudaMemcpyAsync");
  check(cudaStreamSynchronize(on), "cudaStreamSynchronize");
  return {sums[0], sums[1]};
}

}  // namespace retrial::determinism::inline digest
