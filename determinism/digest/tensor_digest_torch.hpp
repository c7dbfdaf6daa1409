#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

#include "determinism/digest/psum2.hpp"

namespace retrial::determinism::inline digest {

/// psum2 of a dense tensor in logical order, whatever its strides; conjugate and negative views are resolved first. Of
/// tensors on a GPU the lanes are summed there, those of a list in one launch.
/// An undefined tensor has its own digest. Meta and other unreadable tensors throw InvalidInput.
[[nodiscard]] Psum2 tensor_digest(const at::Tensor& tensor);

/// digest_list over named tensors in the order given.
[[nodiscard]] Psum2 tensor_digest(const std::vector<std::pair<std::string, at::Tensor>>& tensors);

}  // namespace retrial::determinism::inline digest
