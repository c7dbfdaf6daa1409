#pragma once

#include "determinism/mode/kernel_mode.hpp"

namespace retrial::determinism::inline mode {

/// Sets threads and every ATen switch of the mode, once per worker, before the first tensor is created. Without
/// LibTorch, switches_none.cpp replaces switches_torch.cpp: a mode is then only its environment variables.
void apply_kernel_mode(const KernelMode& mode);

/// The effective state: every getter, thread counts, CPU capability, BLAS branch, MXCSR of the main and a pool thread,
/// as strings, integers and booleans; "unsupported" for features that the library lacks. {"torch": null} without
/// LibTorch.
[[nodiscard]] Json read_back();

}  // namespace retrial::determinism::inline mode
