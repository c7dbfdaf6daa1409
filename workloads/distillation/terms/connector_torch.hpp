#pragma once

#include <vector>

#include "workloads/distillation/terms/loss_torch.hpp"
#include "workloads/distillation/terms/own_tensors_torch.hpp"

namespace retrial::distillation::inline terms {

/// A 1x1 convolution and batch norm that map a student's channels to the teacher's; an empty one does not change the
/// map.
struct Connector {
  at::Tensor kernel;
  nn::BatchNorm norm;
  [[nodiscard]] at::Tensor operator()(const at::Tensor& map, const nn::Pass& pass) const;
};

enum class Connect { every_stage, where_channels_differ };
/// One for the map before the ReLU of each stage, drawn as "stage1.conv" and "stage1.bn".
[[nodiscard]] std::vector<Connector> connectors(OwnTensors& own, const Setting& setting, Connect which);

/// 2^(i + 1 - n) of stage i of n: each stage weighs twice as much as the one before, the last weighs 1.
[[nodiscard]] double stage_weight(std::size_t stage, std::size_t stages);

}  // namespace retrial::distillation::inline terms
