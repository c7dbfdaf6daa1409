#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include "determinism/kernels/parts.hpp"

namespace retrial::determinism::inline kernels {

template <typename Tensor>
struct Listed {
  Tensor tensor;
  std::uint64_t elements = 0;
};

/// launch(parts, first) for as many tensors at a time as one launch takes, `first` the place of the first of them;
/// never for no elements. std::length_error for a tensor of 2^44 elements.
template <typename Tensor, typename Launch>
void each_launch(std::span<const Listed<Tensor>> list, const Launch& launch) {
  const auto parts = std::make_unique<Parts<Tensor>>();
  std::size_t first = 0;
  const auto launch_before = [&](std::size_t next) {
    if (parts->chunks() > 0) launch(std::as_const(*parts), first);
    *parts = {};
    first = next;
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (add(*parts, list[i].tensor, list[i].elements)) continue;
    launch_before(i);
    if (!add(*parts, list[i].tensor, list[i].elements)) throw std::length_error("a tensor of 2^44 elements");
  }
  launch_before(list.size());
}

}  // namespace retrial::determinism::inline kernels
