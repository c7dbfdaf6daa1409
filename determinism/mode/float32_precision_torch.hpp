#pragma once

#include <ATen/Context.h>

#include "results/json/json_fwd.hpp"

namespace retrial::determinism::inline mode {

/// IEEE for every pair of backend and operator; TF32 for the CUDA ones where `tf32` says so. Uses the API of pairs
/// where the library has it and then nothing else: mixing it with the older switches makes their getters throw.
void set_float32_precision(at::Context& context, bool tf32);

/// {"cuda.conv": "ieee", ...} of all valid pairs; "mixed-api" where a getter throws, "unsupported" without the API.
[[nodiscard]] Json read_float32_precision(const at::Context& context);

}  // namespace retrial::determinism::inline mode
