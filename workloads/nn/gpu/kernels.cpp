#include "workloads/nn/gpu/kernels.hpp"

namespace retrial::nn::inline gpu {
namespace {

constinit const DeviceKernels* kernels_in_use = nullptr;

}  // namespace

const DeviceKernels* device_kernels() {
  return kernels_in_use;
}

bool use_device_kernels(const DeviceKernels& kernels) {
  kernels_in_use = &kernels;
  return true;
}

}  // namespace retrial::nn::inline gpu
