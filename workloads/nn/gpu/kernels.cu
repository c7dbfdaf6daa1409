#include "workloads/nn/gpu/kernels.hpp"

#include "determinism/kernels/launch.cuh"
#include "workloads/nn/protocol/sgd_device.hpp"

namespace retrial::nn::inline gpu {
namespace {

using determinism::threads_per_block;

__global__ void __launch_bounds__(threads_per_block) gather_images(const __grid_constant__ Gather batch) {
  gather_elements(batch, determinism::here());
}

__global__ void note_terms(const __grid_constant__ StepTerms step, Ledger ledger) {
  note_step(step, ledger, determinism::here());
}

__global__ void __launch_bounds__(threads_per_block)
    settle_list(const __grid_constant__ determinism::Parts<Settled> parts, const std::uint8_t* proceed) {
  settle_parts(parts, proceed, determinism::here());
}

using Adaptive = determinism::Parts<AdaptiveTensor>;

__global__ void __launch_bounds__(threads_per_block)
    adam_list(const __grid_constant__ Adaptive parts, AdamNumbers adam) {
  adam_parts(parts, adam, determinism::here());
}
__global__ void __launch_bounds__(threads_per_block)
    rmsprop_list(const __grid_constant__ Adaptive parts, RmspropNumbers rmsprop) {
  rmsprop_parts(parts, rmsprop, determinism::here());
}
static_assert(sizeof(Adaptive) + sizeof(AdamNumbers) <= determinism::max_parameter_bytes);

template <typename Kernel, typename Numbers>
void launch_adaptive(std::span<const determinism::Listed<AdaptiveTensor>> tensors, Kernel kernel,
                     const Numbers& numbers) {
  determinism::each_launch(tensors, [&](const Adaptive& parts, std::size_t) {
    kernel<<<determinism::blocks_for(parts.chunks()), threads_per_block>>>(parts, numbers);
    determinism::demand(cudaGetLastError(), "update kernel");
  });
}

void gather(const Gather& batch) {
  const std::uint64_t blocks = (batch.count * batch.pixels + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  gather_images<<<determinism::blocks_for(blocks), threads_per_block>>>(batch);
  determinism::demand(cudaGetLastError(), "gather kernel");
}

void note(const StepTerms& step, const Ledger& ledger) {
  note_terms<<<1, 1>>>(step, ledger);
  determinism::demand(cudaGetLastError(), "ledger kernel");
}

void settle(std::span<const determinism::Listed<Settled>> tensors, const std::uint8_t* proceed) {
  determinism::each_launch(tensors, [&](const determinism::Parts<Settled>& parts, std::size_t) {
    settle_list<<<determinism::blocks_for(parts.chunks()), threads_per_block>>>(parts, proceed);
    determinism::demand(cudaGetLastError(), "settle kernel");
  });
}

constexpr DeviceKernels on_cuda{
    .gather = gather,
    .note = note,
    .settle = settle,
    .drop = [](const float* x, float* y, std::uint64_t n,
               const determinism::Drop& drop) { determinism::drop_on_device(x, y, n, drop, nullptr); },
    .sgd = [](std::span<const determinism::Listed<SgdTensor>> tensors, const UpdateControl& control,
              const Sgd& sgd) { sgd_step_on_device(tensors, control, sgd, nullptr); },
    .adam = [](std::span<const determinism::Listed<AdaptiveTensor>> tensors,
               const AdamNumbers& adam) { launch_adaptive(tensors, adam_list, adam); },
    .rmsprop = [](std::span<const determinism::Listed<AdaptiveTensor>> tensors,
                  const RmspropNumbers& rmsprop) { launch_adaptive(tensors, rmsprop_list, rmsprop); }};
const bool used = use_device_kernels(on_cuda);

}  // namespace
}  // namespace retrial::nn::inline gpu
