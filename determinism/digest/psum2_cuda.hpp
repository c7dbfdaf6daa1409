#pragma once

#include <cstddef>
#include <cstdint>

#include "determinism/digest/psum2.hpp"

namespace retrial::determinism::inline digest {

/// psum2 on a GPU, equal to the CPU's value: each block sums its words, and blocks add up with 64-bit integer
/// atomics, whose order cannot change a sum modulo 2^64. Pointers are device memory, of any alignment. `stream` is a
/// cudaStream_t (nullptr: the default stream). A failed CUDA call throws std::runtime_error with CUDA's text.

/// Adds the lane sums of `data`, whose first word has index `first_word`, to lanes[0] and lanes[1] in device memory,
/// which the caller has zeroed. Returns at once without waiting for the device, so one copy back can serve many
/// tensors.
void psum2_add_on_device(const void* data, std::size_t bytes, std::uint64_t first_word, std::uint64_t* lanes,
                         void* stream = nullptr);

/// The lane sums of one range, after waiting for the device; psum2_finish turns them into the digest.
[[nodiscard]] Lanes psum2_part_on_device(const void* data, std::size_t bytes, std::uint64_t first_word,
                                         void* stream = nullptr);

}  // namespace retrial::determinism::inline digest
