#pragma once

#include <ATen/core/Tensor.h>
#include <torch/library.h>

namespace retrial::determinism::inline portable {

[[nodiscard]] inline bool is_own_type(at::ScalarType type) {
  return type == at::kFloat || type == at::kDouble;
}

/// The operators of one file, for the dispatcher.
void add_elementwise(torch::Library& library);
void add_products(torch::Library& library);

}  // namespace retrial::determinism::inline portable
