#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>

/// A device in the place of a GPU, for tests on machines without one: LibTorch's backend for devices of others
/// (PrivateUse1), whose operators are the CPU's. Its memory is not the host's: a read of an address of a tensor on it
/// ends the process with a fault, and an operator on tensors of both is refused, as on a GPU. So a training on it has
/// the CPU's bits, and whatever a training leaves on the host is found.
namespace retrial::tests::stand_in {

[[nodiscard]] at::Device device();

/// The host's address of device memory, for kernels that are run on the host.
void* on_host(const void* address);
template <typename T>
T* on_host(T* address) {
  return static_cast<T*>(on_host(static_cast<const void*>(address)));
}

/// Times that the host waited for a value of the device since the start of the process: .item(), copies to the host.
[[nodiscard]] std::int64_t waits();

}  // namespace retrial::tests::stand_in
