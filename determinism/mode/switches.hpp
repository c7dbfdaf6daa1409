#pragma once

#include "determinism/mode/kernel_mode.hpp"

namespace retrial::determinism::inline mode {

/// Sets threads and every ATen switch of the mode, once per worker, before the first tensor. switches_torch.cpp
/// does it with LibTorch, switches_none.cpp replaces it without LibTorch (only environment variables count there).
void apply_kernel_mode(const KernelMode& mode);

/// Every getter, thread counts, CPU capability, BLAS branch, MXCSR on the main and a pool thread: strings, integers
/// and booleans; "unsupported" for what the library lacks. {"torch": null} without LibTorch.
[[nodiscard]] Json read_back();

}  // namespace retrial::determinism::inline mode
