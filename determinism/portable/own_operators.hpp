#pragma once

namespace retrial::determinism::inline portable {

/// Puts the operators of replaced.hpp in the place of LibTorch's for tensors in memory, or restores LibTorch's. All
/// callers get them: workloads, gradients, optimizers and operators of the library that are made of these. Types other
/// than float32 and float64 stay with the library. A refused operator throws Error{measurement, "mode.operator"}.
void use_own_operators(bool on);

}  // namespace retrial::determinism::inline portable
