#pragma once

#include <ATen/core/Tensor.h>

#include "workloads/nn/layers/model_torch.hpp"
#include "workloads/pruning/methods/scoring_view.hpp"

namespace retrial::pruning::inline tensors {

/// A model as the methods see it: its weights, and the work of its layers on a scoring set. `images` and `labels` hold
/// the samples in their order; model, network and masks must outlive the sight.
[[nodiscard]] Sight sight_of(const nn::Model& model, const Network& network, const MaskSet& masks,
                             const at::Tensor& images, const at::Tensor& labels);

}  // namespace retrial::pruning::inline tensors
