#include "workloads/nn/shape/outline.hpp"

#include <algorithm>

#include "workloads/nn/shape/residual_tensors.hpp"

namespace retrial::nn::inline shape {
namespace {

Outline cnn_outline(const Architecture& architecture, const data::Shape& input) {
  const std::int64_t w = architecture.widths[0];
  const MapShape first{w, input.height, input.width}, second{2 * w, input.height, input.width};
  const MapShape halves{2 * w, input.height / 2, input.width / 2}, quarters{2 * w, input.height / 4, input.width / 4};
  return {.stages = {{first, first, true}, {halves, second, true}, {quarters, halves, true}},
          .pooled = quarters.channels * quarters.height * quarters.width};
}

Outline residual_outline(const Architecture& architecture, const data::Shape& input) {
  const Residual& net = *architecture.residual;
  MapShape map{net.stem, input.height, input.width};
  Outline outline{.stem = map, .pooled = residual_features(architecture, input)};
  for (std::size_t stage = 0; stage < net.widths.size(); ++stage) {
    map = {net.out(stage), stage == 0 ? map.height : halved(map.height), stage == 0 ? map.width : halved(map.width)};
    outline.stages.push_back({map, map, net.block == Residual::Block::wide || net.closing_relu});
  }
  return outline;
}

}  // namespace

Outline outline_of(const Architecture& architecture, const data::Shape& input) {
  switch (architecture.family) {
    case Family::mlp:
      return {.pooled = architecture.widths.back()};
    case Family::cnn:
      return cnn_outline(architecture, input);
    case Family::residual:
      return residual_outline(architecture, input);
    case Family::script:
      return {};
  }
  return {};
}

bool norms_single_values(const Outline& outline) {
  const auto single = [](const StageOutline& stage) { return stage.before.height * stage.before.width == 1; };
  return std::any_of(outline.stages.begin(), outline.stages.end(), single);
}

}  // namespace retrial::nn::inline shape
