#include "workloads/distillation/trial/dot_device.hpp"

#include "determinism/kernels/launch.cuh"

namespace retrial::distillation::inline trial {
namespace {

using Tensors = determinism::Parts<DotTensor>;

__global__ void __launch_bounds__(determinism::threads_per_block)
    dot_list(const __grid_constant__ Tensors parts, nn::UpdateControl control, DotNumbers numbers) {
  dot_parts(parts, control, numbers, determinism::here());
}
static_assert(sizeof(Tensors) + sizeof(nn::UpdateControl) + sizeof(DotNumbers) <= determinism::max_parameter_bytes);

const bool used = [] {
  dot_kernel() = [](std::span<const determinism::Listed<DotTensor>> tensors, const nn::UpdateControl& control,
                    double delta, const nn::Sgd& sgd) { dot_step_on_device(tensors, control, delta, sgd, nullptr); };
  return true;
}();

}  // namespace

void dot_step_on_device(std::span<const determinism::Listed<DotTensor>> tensors, const nn::UpdateControl& control,
                        double delta, const nn::Sgd& sgd, void* stream) {
  const DotNumbers numbers = dot_numbers(0, delta, sgd);
  determinism::each_launch(tensors, [&](const Tensors& parts, std::size_t) {
    dot_list<<<determinism::blocks_for(parts.chunks()), determinism::threads_per_block, 0,
               static_cast<cudaStream_t>(stream)>>>(parts, control, numbers);
    determinism::demand(cudaGetLastError(), "update kernel");
  });
}

}  // namespace retrial::distillation::inline trial
