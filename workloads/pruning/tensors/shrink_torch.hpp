#pragma once

#include <memory>

#include "workloads/nn/layers/model_torch.hpp"
#include "workloads/pruning/network/channels.hpp"

namespace retrial::pruning::inline tensors {

/// The smaller network without the removed channels: rows and columns of its tensors copied, batch norms cut. It
/// computes the same as the masked network (float32: up to the order of additions). Throws
/// TrialFailure("prune.no_shrink") naming the layer if a removed channel still passes a constant to a live weight, or
/// if a layer has no channel left.
[[nodiscard]] std::unique_ptr<nn::Model> shrink(const nn::Model& model, const nn::Architecture& architecture,
                                                const Network& network, const MaskSet& masks);

}  // namespace retrial::pruning::inline tensors
