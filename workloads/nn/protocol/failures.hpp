#pragma once

#include <exception>
#include <optional>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::nn::inline protocol {

/// Exceptions of LibTorch and of our kernels with their own kind of failure, recognized by text: out of memory, an
/// operator that the kernel mode does not allow, and errors of a GPU after which this process cannot use it:
/// cuda.sticky (of a kernel), cuda.ecc (of its memory), cuda.lost.
[[nodiscard]] std::optional<workloads::TrialFailure> explain_libtorch(const std::exception& error);

}  // namespace retrial::nn::inline protocol
