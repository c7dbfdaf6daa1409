#pragma once

#include <optional>
#include <span>
#include <string>

#include "workloads/interface/trial/probe.hpp"

/// Checks for the probe of distillation only: numbers in, at most one finding out. No LibTorch.
namespace retrial::distillation::inline trial {

/// teacher-mutated: parameters and buffers of `what` before and after a training step, as digests.
[[nodiscard]] std::optional<workloads::Finding> check_frozen(const std::string& what, const std::string& before,
                                                             const std::string& after);

/// teacher-path-differs: outputs of the plain pass and of the pass that also returns features, bit for bit.
[[nodiscard]] std::optional<workloads::Finding> check_paths(const std::string& what, std::span<const float> plain,
                                                            std::span<const float> with_features);

}  // namespace retrial::distillation::inline trial
