#pragma once

#include <ATen/Context.h>

#include "results/json/json_fwd.hpp"

namespace retrial::determinism::inline mode {

/// IEEE for every pair of backend and operator, or TF32 for the CUDA pairs if `tf32`. If the library has the API of
/// pairs, only that is used: mixing it with the older switches makes their getters throw.
void set_float32_precision(at::Context& context, bool tf32);

/// {"cuda.conv": "ieee", ...} for all valid pairs; "mixed-api" if a getter throws, "unsupported" without the API.
[[nodiscard]] Json read_float32_precision(const at::Context& context);

}  // namespace retrial::determinism::inline mode
