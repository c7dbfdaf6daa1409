#pragma once

#include <memory>

#include "workloads/nn/layers/model_torch.hpp"
#include "workloads/pruning/network/channels.hpp"

namespace retrial::pruning::inline libtorch {

/// The smaller network without the channels that are gone: rows and columns of its tensors copied, batch norms cut. It
/// computes what the masked one does (float32: up to the order of additions). Throws TrialFailure("prune.no_shrink")
/// naming the layer when a channel that is gone still carries a constant into a live weight, or when a layer has no
/// channel left.
[[nodiscard]] std::unique_ptr<nn::Model> shrink(const nn::Model& model, const nn::Architecture& architecture,
                                                const Network& network, const MaskSet& masks);

}  // namespace retrial::pruning::inline libtorch
