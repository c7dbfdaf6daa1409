#pragma once

#include "workloads/pruning/libtorch/pruned_torch.hpp"
#include "workloads/pruning/libtorch/test_sets_torch.hpp"
#include "workloads/pruning/methods/step.hpp"

namespace retrial::pruning::inline libtorch {

/// What goes at a step: the method scores the network as it stands, on one thread, the rest is counting. `step` is
/// 0-based. Throws as prune_step does.
[[nodiscard]] Allocation decide(const workloads::Trial& trial, const StepOptions& cut, const Blueprint& blueprint,
                                const Pruned& line, const ScoringRows& rows, double keep, std::uint64_t step);

}  // namespace retrial::pruning::inline libtorch
