#pragma once

#include <exception>
#include <optional>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::nn::inline protocol {

/// Exceptions of LibTorch with their own kind of failure, recognized by text: out of memory, and an operator that the
/// kernel mode does not allow.
[[nodiscard]] std::optional<workloads::TrialFailure> explain_libtorch(const std::exception& error);

}  // namespace retrial::nn::inline protocol
