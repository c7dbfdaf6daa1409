#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/nn/layers/model_torch.hpp"
#include "workloads/pruning/network/channels.hpp"

namespace retrial::pruning::inline tensors {

/// The weight tensors of the prunable layers, in their order.
[[nodiscard]] std::vector<at::Tensor> weights_of(const nn::Model& model, const Network& network);
/// The same as numbers.
[[nodiscard]] std::vector<std::span<const float>> values_of(const std::vector<at::Tensor>& weights);

/// Sets masked weights to 0. Removed channels also lose their biases and the scale and shift of their batch norms,
/// which would act without weights.
void apply(const nn::Model& model, const Network& network, const MaskSet& masks);

/// The masks in the order of the model's parameters, for nn::Training::hold_at_zero.
[[nodiscard]] std::vector<std::vector<std::uint8_t>> parameter_masks(const nn::Model& model, const MaskSet& masks);

/// Throws TrialFailure("prune.mask_not_applied") naming a layer with a masked weight that is not 0.
void require_applied(const nn::Model& model, const Network& network, const MaskSet& masks);

/// Values that are not 0 in any parameter, and how many of them are subnormal.
struct NonZero {
  std::int64_t values = 0, denormals = 0;
};
[[nodiscard]] NonZero non_zero(const nn::Model& model);

/// Also masks the weights without a path from the input or to the output: on a copy with absolute values in double,
/// batch norms that only scale, no biases and an image of ones, those whose value or gradient is 0.
[[nodiscard]] MaskSet without_unreachable(const nn::Model& model, const nn::Architecture& architecture,
                                          const Network& network, const data::Shape& input, MaskSet masks);

}  // namespace retrial::pruning::inline tensors
