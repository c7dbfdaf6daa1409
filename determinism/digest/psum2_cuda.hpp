#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "determinism/digest/psum2.hpp"

namespace retrial::determinism::inline digest {

/// psum2 on a GPU, equal to the CPU's value: each block sums its words, and blocks add up with 64-bit integer
/// atomics, whose order cannot change a sum modulo 2^64. A list of up to 512 tensors is one launch. `stream` is a
/// cudaStream_t (nullptr: the default stream). A failed CUDA call throws std::runtime_error with CUDA's text.

/// Device memory, of any alignment; its first word has index `first_word`.
struct DeviceBytes {
  const void* data = nullptr;
  std::size_t bytes = 0;
  std::uint64_t first_word = 0;
};

/// Adds the lane sums of entry i to lanes[2 i] and lanes[2 i + 1] in device memory, which the caller has zeroed.
/// Returns at once without waiting for the device. std::length_error for an entry of 2^47 bytes.
void psum2_add_on_device(std::span<const DeviceBytes> list, std::uint64_t* lanes, void* stream = nullptr);

/// The lane sums of each entry, after waiting for the device once; psum2_finish turns them into digests.
[[nodiscard]] std::vector<Lanes> psum2_on_device(std::span<const DeviceBytes> list, void* stream = nullptr);

/// psum2_on_device on the default stream, in a program with the objects for CUDA, which set it at start; else null.
using LanesOnDevice = std::vector<Lanes> (*)(std::span<const DeviceBytes> list);
[[nodiscard]] LanesOnDevice& lanes_on_device();

}  // namespace retrial::determinism::inline digest
