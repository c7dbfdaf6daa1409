#pragma once

#include "workloads/pruning/libtorch/test_sets_torch.hpp"
#include "workloads/pruning/steps/step.hpp"
#include "workloads/pruning/tensors/pruned_torch.hpp"

namespace retrial::pruning::inline libtorch {

/// Decides one step: the method scores the current network on one thread, the rest is counting. `step` is 0-based.
/// Throws as prune_step does.
[[nodiscard]] Allocation decide(const workloads::Trial& trial, const StepOptions& cut, const Blueprint& blueprint,
                                const Pruned& line, const ScoringRows& rows, double keep, std::uint64_t step);

}  // namespace retrial::pruning::inline libtorch
