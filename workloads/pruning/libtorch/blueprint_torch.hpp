#pragma once

#include "workloads/data/inputs/keys.hpp"
#include "workloads/pruning/tensors/pruned_torch.hpp"

namespace retrial::pruning::inline libtorch {

/// The network of the key `model`, read from its file if it is a script. Throws TrialFailure as nn::with_script does,
/// and script.no_weights if a script has no parameter that can be pruned.
[[nodiscard]] Blueprint blueprint_of(const workloads::Trial& trial, const workloads::Place& place,
                                     const data::Inputs& inputs);
/// The seed of the initial weights; 0 for a script, which has its own.
[[nodiscard]] std::uint64_t init_seed(const workloads::Trial& trial);

}  // namespace retrial::pruning::inline libtorch
