#include "workloads/distillation/terms/own_tensors_torch.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include "variance/random/rng.hpp"

namespace retrial::distillation::inline terms {

at::Tensor OwnTensors::add(nn::TensorSpec spec) {
  spec.name = term_ + "." + spec.name;
  at::Tensor tensor = nn::initialised(spec, seed_);
  (spec.trained ? parameters : buffers).emplace_back(spec.name, tensor);
  return tensor;
}

nn::Linear OwnTensors::linear(const std::string& layer, std::int64_t in, std::int64_t out) {
  return {add({.name = layer + ".weight", .sizes = {out, in}, .fan_in = in}),
          add({.name = layer + ".bias", .sizes = {out}, .fan_in = in})};
}

at::Tensor OwnTensors::kernel(const std::string& layer, std::vector<std::int64_t> sizes) {
  const std::int64_t fan_in = sizes[1] * sizes[2] * sizes[3];
  return add({.name = layer + ".weight", .sizes = std::move(sizes), .fan_in = fan_in});
}

nn::BatchNorm OwnTensors::norm(const std::string& layer, std::int64_t channels) {
  const auto part = [&](const char* name, nn::Start start, bool trained) {
    return add({.name = layer + name, .sizes = {channels}, .start = start, .trained = trained});
  };
  return {part(".weight", nn::Start::one, true), part(".bias", nn::Start::zero, true),
          part(".running_mean", nn::Start::zero, false), part(".running_var", nn::Start::one, false)};
}

at::Tensor OwnTensors::constant(const std::string& name, std::int64_t elements, double value) {
  at::Tensor tensor = at::zeros({elements}, at::kFloat).fill_(value).requires_grad_(true);
  parameters.emplace_back(term_ + "." + name, tensor);
  return tensor;
}

at::Tensor OwnTensors::memory(const std::string& name, std::vector<std::int64_t> sizes, double bound) {
  at::Tensor tensor = at::empty(sizes, at::kFloat);
  const std::uint64_t key = variance::derive(seed_, term_ + "." + name);
  for (std::int64_t e = 0; e < tensor.numel(); ++e)
    tensor.data_ptr<float>()[e] =
        static_cast<float>(variance::uniform(variance::block(key, static_cast<std::uint64_t>(e), 0)[0], -bound, bound));
  buffers.emplace_back(term_ + "." + name, tensor);
  return tensor;
}

at::Tensor OwnTensors::counter(const std::string& name) {
  at::Tensor tensor = at::zeros({1}, at::kFloat);
  buffers.emplace_back(term_ + "." + name, tensor);
  return tensor;
}

}  // namespace retrial::distillation::inline terms
