#include "workloads/distillation/terms/connector_torch.hpp"

#include <ATen/ops/conv2d.h>

#include <cmath>

namespace retrial::distillation::inline terms {

at::Tensor Connector::operator()(const at::Tensor& map, const nn::Pass& pass) const {
  return kernel.defined() ? norm(at::conv2d(map, kernel), pass) : map;
}

std::vector<Connector> connectors(OwnTensors& own, const Setting& setting, Connect which) {
  std::vector<Connector> out;
  for (std::size_t i = 0; i < setting.student.stages.size(); ++i) {
    const std::int64_t from = setting.student.stages[i].before.channels, to = setting.teacher.stages[i].before.channels;
    out.emplace_back();
    if (which == Connect::where_channels_differ && from == to) continue;
    const std::string stage = "stage" + std::to_string(i + 1);
    out.back() = {own.kernel(stage + ".conv", {to, from, 1, 1}), own.norm(stage + ".bn", to)};
  }
  return out;
}

double stage_weight(std::size_t stage, std::size_t stages) {
  return std::ldexp(1, static_cast<int>(stage + 1) - static_cast<int>(stages));
}

}  // namespace retrial::distillation::inline terms
