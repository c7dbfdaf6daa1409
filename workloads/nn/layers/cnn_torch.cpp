#include "workloads/nn/layers/cnn_torch.hpp"

#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>

namespace retrial::nn::inline layers {

Cnn::Cnn(Identity identity, NamedTensors parameters, NamedTensors buffers)
    : Model(std::move(identity), std::move(parameters), std::move(buffers)) {
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const std::string number = std::to_string(i + 1), norm = "bn" + number;
    stages_[i] = {.conv = {tensor("conv" + number + ".weight"), basis("conv" + number)},
                  .norm = {tensor(norm + ".weight"), tensor(norm + ".bias"), tensor(norm + ".running_mean"),
                           tensor(norm + ".running_var")},
                  .pools = i > 0};
  }
  classifier_ = {tensor("classifier.weight"), tensor("classifier.bias"), basis("classifier")};
}

Activations Cnn::forward(const at::Tensor& images, const Pass& pass) const {
  Activations result;
  at::Tensor x = images;
  for (const Stage& stage : stages_) {
    const at::Tensor before = stage.norm(stage.conv(x, pass), pass);
    x = at::relu(before);
    if (stage.pools) x = at::max_pool2d(x, 2);
    result.stage_pre.push_back(before);
    result.stage_norm.push_back({stage.norm.weight, stage.norm.bias});
    result.stage.push_back(x);
  }
  result.pooled = drop(x.flatten(1), "classifier", pass);
  result.logits = classifier_(result.pooled, pass);
  return result;
}

}  // namespace retrial::nn::inline layers
