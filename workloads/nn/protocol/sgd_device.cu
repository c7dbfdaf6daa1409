#include "workloads/nn/protocol/sgd_device.hpp"

#include "determinism/kernels/launch.cuh"

namespace retrial::nn::inline protocol {
namespace {

using Tensors = determinism::Parts<SgdTensor>;

template <bool nesterov>
__global__ void __launch_bounds__(determinism::threads_per_block)
    sgd_list(const __grid_constant__ Tensors parts, UpdateControl control, float momentum, float decay) {
  sgd_parts<nesterov>(parts, control, momentum, decay, determinism::here());
}
static_assert(sizeof(Tensors) + sizeof(UpdateControl) + 2 * sizeof(float) <= determinism::max_parameter_bytes);

}  // namespace

void sgd_step_on_device(std::span<const determinism::Listed<SgdTensor>> tensors, const UpdateControl& control,
                        const Sgd& sgd, void* stream) {
  const auto momentum = static_cast<float>(sgd.momentum), decay = static_cast<float>(sgd.weight_decay);
  const auto kernel = sgd.nesterov ? sgd_list<true> : sgd_list<false>;
  determinism::each_launch(tensors, [&](const Tensors& parts, std::size_t) {
    kernel<<<determinism::blocks_for(parts.chunks()), determinism::threads_per_block, 0,
             static_cast<cudaStream_t>(stream)>>>(parts, control, momentum, decay);
    determinism::demand(cudaGetLastError(), "update kernel");
  });
}

}  // namespace retrial::nn::inline protocol
