#include "workloads/rl/agents/network_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tanh.h>

#include <algorithm>
#include <numbers>

#include "variance/random/rng.hpp"
#include "workloads/nn/training/optimizer_torch.hpp"
#include "workloads/profiler/rules/health_watch.hpp"
#include "workloads/rl/agents/orthogonal.hpp"

namespace retrial::rl::inline agents {
namespace {

nn::Linear made_layer(const std::string& name, const NetworkShape& shape, std::int64_t inputs, std::int64_t outputs,
                      double gain, std::uint64_t init) {
  using nn::Start;
  nn::Linear made;
  made.weight = nn::initialised({.name = name + ".weight", .sizes = {outputs, inputs}, .fan_in = inputs}, init);
  made.bias = nn::initialised({.name = name + ".bias",
                               .sizes = {outputs},
                               .start = shape.orthogonal ? Start::zero : Start::uniform_fan_in,
                               .fan_in = inputs},
                              init);
  if (shape.orthogonal)
    std::ranges::copy(orthogonal_matrix(static_cast<std::size_t>(outputs), static_cast<std::size_t>(inputs), gain,
                                        variance::derive(init, name + ".weight")),
                      nn::floats_of(made.weight).begin());
  return made;
}

}  // namespace

Network::Network(const std::string& name, const NetworkShape& shape, std::uint64_t init, const at::Device& device)
    : relu_(shape.relu) {
  std::int64_t inputs = shape.inputs;
  const auto add = [&](std::int64_t outputs, double gain) {
    const std::string layer = name + "." + std::to_string(layers_.size());
    layers_.push_back(made_layer(layer, shape, inputs, outputs, gain, init));
    parameters_.emplace_back(layer + ".weight", layers_.back().weight);
    parameters_.emplace_back(layer + ".bias", layers_.back().bias);
    inputs = outputs;
  };
  for (const std::int64_t width : shape.hidden) add(width, std::numbers::sqrt2);
  add(shape.outputs, shape.head_gain);
  nn::move_to(parameters_, device);
}

at::Tensor Network::operator()(const at::Tensor& rows) const {
  at::Tensor x = nn::on(parameters_.front().second.device(), rows);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    x = layers_[i](x);
    if (i + 1 == layers_.size()) break;
    if (auto* watch = profiler::watch_of_step(); watch != nullptr)
      watch->activated(parameters_[2 * i].first, relu_ ? profiler::Activation::relu : profiler::Activation::tanh,
                       nn::floats_of(nn::on_host(x)), static_cast<std::size_t>(x.size(1)));
    x = relu_ ? at::relu(x) : at::tanh(x);
  }
  return x;
}

void Network::move_towards(const Network& other, double tau) {
  const at::NoGradGuard no_gradient;
  const auto share = static_cast<float>(tau), rest = static_cast<float>(1 - tau);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (const at::Tensor& there = parameters_[i].second; !there.is_cpu()) {
      const at::Tensor& goal = other.parameters_[i].second;
      there.copy_(tau == 1 ? goal : goal * share + there * rest);
      continue;
    }
    const auto to = nn::floats_of(parameters_[i].second), from = nn::floats_of(other.parameters_[i].second);
    if (tau == 1)
      std::ranges::copy(from, to.begin());
    else
      for (std::size_t e = 0; e < to.size(); ++e) to[e] = share * from[e] + rest * to[e];
  }
}

at::Tensor matrix_of(std::span<const float> values, std::size_t columns) {
  at::Tensor made =
      at::empty({static_cast<std::int64_t>(values.size() / columns), static_cast<std::int64_t>(columns)}, at::kFloat);
  std::ranges::copy(values, nn::floats_of(made).begin());
  return made;
}

std::span<const float> row_of(const at::Tensor& matrix, std::size_t row) {
  const auto width = static_cast<std::size_t>(matrix.size(1));
  return nn::floats_of(matrix).subspan(row * width, width);
}

void descend(const at::Tensor& outputs, std::span<const float> slopes) {
  outputs.backward(nn::on(outputs.device(), matrix_of(slopes, static_cast<std::size_t>(outputs.size(1)))));
}

}  // namespace retrial::rl::inline agents
