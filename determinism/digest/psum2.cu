#include <vector>

#include "determinism/digest/psum2_cuda.hpp"
#include "determinism/digest/psum2_parts.hpp"
#include "determinism/kernels/launch.cuh"
#include "determinism/kernels/lists.hpp"

namespace retrial::determinism::inline digest {
namespace {

constexpr unsigned warp_lanes = 32;

__device__ std::uint64_t warp_sum(std::uint64_t value) {
  for (unsigned step = warp_lanes / 2; step > 0; step /= 2)
    value += __shfl_down_sync(0xffffffffu, static_cast<unsigned long long>(value), step);
  return value;
}

__global__ void __launch_bounds__(threads_per_block)
    psum2_of_list(const __grid_constant__ Parts<Psum2Bytes> parts, unsigned long long* lanes) {
  psum2_steps::add_parts(parts, here(), [&](unsigned tensor, std::uint64_t lane0, std::uint64_t lane1) {
    lane0 = warp_sum(lane0);
    lane1 = warp_sum(lane1);
    if (threadIdx.x % warp_lanes != 0) return;
    atomicAdd(&lanes[2 * tensor], static_cast<unsigned long long>(lane0));
    atomicAdd(&lanes[2 * tensor + 1], static_cast<unsigned long long>(lane1));
  });
}
static_assert(sizeof(Parts<Psum2Bytes>) + sizeof(void*) <= max_parameter_bytes);

/// Zeroed words on the device, freed with the scope.
class DeviceLanes {
 public:
  DeviceLanes(std::size_t words, cudaStream_t stream) {
    demand(cudaMalloc(&words_, words * sizeof(std::uint64_t)), "cudaMalloc");
    const cudaError_t cleared = cudaMemsetAsync(words_, 0, words * sizeof(std::uint64_t), stream);
    if (cleared != cudaSuccess) cudaFree(words_);
    demand(cleared, "cudaMemsetAsync");
  }
  ~DeviceLanes() { cudaFree(words_); }
  DeviceLanes(const DeviceLanes&) = delete;
  DeviceLanes& operator=(const DeviceLanes&) = delete;
  std::uint64_t* get() const { return words_; }

 private:
  std::uint64_t* words_ = nullptr;
};

}  // namespace

void psum2_add_on_device(std::span<const DeviceBytes> list, std::uint64_t* lanes, void* stream) {
  std::vector<Listed<Psum2Bytes>> tensors;
  for (const DeviceBytes& entry : list) {
    const Psum2Bytes bytes{static_cast<const unsigned char*>(entry.data), entry.bytes, entry.first_word};
    tensors.push_back({bytes, bytes.words()});
  }
  auto* const sums = reinterpret_cast<unsigned long long*>(lanes);
  each_launch(std::span<const Listed<Psum2Bytes>>(tensors), [&](const Parts<Psum2Bytes>& parts, std::size_t first) {
    psum2_of_list<<<blocks_for(parts.chunks()), threads_per_block, 0, static_cast<cudaStream_t>(stream)>>>(
        parts, sums + 2 * first);
    demand(cudaGetLastError(), "psum2 kernel");
  });
}

std::vector<Lanes> psum2_on_device(std::span<const DeviceBytes> list, void* stream) {
  if (list.empty()) return {};
  const auto on = static_cast<cudaStream_t>(stream);
  const DeviceLanes lanes(2 * list.size(), on);
  psum2_add_on_device(list, lanes.get(), stream);
  std::vector<Lanes> sums(list.size());
  demand(cudaMemcpyAsync(sums.data(), lanes.get(), sums.size() * sizeof(Lanes), cudaMemcpyDeviceToHost, on),
         "cudaMemcpyAsync");
  demand(cudaStreamSynchronize(on), "cudaStreamSynchronize");
  return sums;
}
static_assert(sizeof(Lanes) == 2 * sizeof(std::uint64_t));

namespace {

const bool used = [] {
  lanes_on_device() = [](std::span<const DeviceBytes> list) { return psum2_on_device(list, nullptr); };
  return true;
}();

}  // namespace
}  // namespace retrial::determinism::inline digest
