#pragma once

#include <cstdint>

#include "determinism/kernels/both_sides.hpp"

namespace retrial::determinism::inline kernels {

inline constexpr unsigned chunk_elements = 4096, max_parts = 512;
inline constexpr unsigned max_parameter_bytes = 32764;  // per launch, from compute capability 7.0 on

/// One thread of a launch. A body that is given its place instead of looking at threadIdx runs on the host too.
struct Where {
  std::uint64_t block, blocks;
  unsigned thread, threads;
};

/// A list of tensors that one launch walks through. It travels as the kernel's parameter, and so is in constant
/// memory. Each tensor is cut into chunks of `chunk_elements`; `first_chunk[i]` is the number of chunks before tensor
/// i, and `first_chunk[count]` that of all. `Tensor`: its pointers.
template <typename Tensor>
struct Parts {
  Tensor tensors[max_parts];
  std::uint64_t elements[max_parts];
  std::uint32_t first_chunk[max_parts + 1];
  std::uint32_t count;

  RETRIAL_HD std::uint64_t chunks() const { return first_chunk[count]; }
};

/// False, and nothing is added, where the list is full or has 2^32 chunks. A list begins as Parts<Tensor>{}.
template <typename Tensor>
bool add(Parts<Tensor>& parts, const Tensor& tensor, std::uint64_t elements) {
  const std::uint64_t chunks = (elements + chunk_elements - 1) / chunk_elements + parts.chunks();
  if (parts.count == max_parts || chunks > UINT32_MAX) return false;
  parts.tensors[parts.count] = tensor;
  parts.elements[parts.count] = elements;
  parts.first_chunk[++parts.count] = static_cast<std::uint32_t>(chunks);
  return true;
}

/// The tensor of a chunk, by bisection: the last one whose first chunk is not after it. Tensors without elements have
/// no chunk, so none of them is found.
template <typename Tensor>
RETRIAL_HD unsigned tensor_of(const Parts<Tensor>& parts, std::uint64_t chunk) {
  unsigned low = 0, high = parts.count;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (parts.first_chunk[middle] <= chunk)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// Elements [begin, end) of one tensor.
struct Chunk {
  std::uint64_t begin, end;
};
template <typename Tensor>
RETRIAL_HD Chunk chunk_of(const Parts<Tensor>& parts, unsigned tensor, std::uint64_t chunk) {
  const std::uint64_t begin = (chunk - parts.first_chunk[tensor]) * chunk_elements;
  const std::uint64_t rest = parts.elements[tensor] - begin;
  return {begin, begin + (rest < chunk_elements ? rest : chunk_elements)};
}

/// each(tensor, i) for every element i that belongs to this thread: neighboring threads have neighboring elements.
template <typename Tensor, typename Each>
RETRIAL_HD void each_element(const Parts<Tensor>& parts, const Where& at, const Each& each) {
  for (std::uint64_t chunk = at.block; chunk < parts.chunks(); chunk += at.blocks) {
    const unsigned tensor = tensor_of(parts, chunk);
    const Chunk part = chunk_of(parts, tensor, chunk);
    for (std::uint64_t i = part.begin + at.thread; i < part.end; i += at.threads) each(parts.tensors[tensor], i);
  }
}

}  // namespace retrial::determinism::inline kernels
