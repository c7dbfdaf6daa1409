// Networks and images that the tests of pruned networks share.
#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>

#include <memory>

#include "tests/catch.hpp"
#include "tests/workloads/pruning/methods/scoring_view.hpp"
#include "variance/random/rng.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"
#include "workloads/pruning/steps/step.hpp"
#include "workloads/pruning/tensors/pruned_torch.hpp"

namespace retrial::pruning::fixture {

inline constexpr data::Shape photo{3, 16, 16};

inline Blueprint blueprint_of(const std::string& name, const data::Shape& input = photo) {
  const nn::Architecture architecture = nn::parse_architecture(name, "model");
  return {architecture, input, network_of(architecture, input, 10)};
}

inline at::Tensor noise(at::IntArrayRef sizes, std::uint64_t key) {
  const at::Tensor tensor = at::empty(sizes, at::kFloat);
  variance::Stream stream(key);
  for (std::int64_t e = 0; e < tensor.numel(); ++e)
    tensor.data_ptr<float>()[e] = static_cast<float>(variance::normal(stream.next()));
  return tensor;
}

/// A network whose batch norms are no identity, as after training.
inline std::unique_ptr<nn::Model> lived_in(const Blueprint& blueprint, std::uint64_t seed = 5) {
  auto model = nn::make(blueprint.architecture, blueprint.input, 10, seed);
  std::uint64_t key = seed;
  for (const auto& [name, tensor] : model->tensors()) {
    if (tensor.dim() != 1 || name.starts_with("classifier")) continue;
    const at::Tensor drawn = noise(tensor.sizes(), ++key) * .3;
    tensor.detach().copy_(name.ends_with("var") ? drawn.square() + .5 : drawn + (name.ends_with("bias") ? .1 : 1.0));
  }
  return model;
}

/// Keeps a share of the channels, by drawn scores.
inline MaskSet some_channels(const Network& network, double keep, std::uint64_t key = 11) {
  ChannelScores scores = channel_zeros(network);
  variance::Stream stream(key);
  for (auto& group : scores)
    for (double& score : group) score = variance::uniform(stream.next());
  return keep_channels(network, scores, all_live(network), keep).masks;
}

inline double apart(const nn::Model& a, const nn::Model& b, const at::Tensor& images) {
  const at::Tensor left = nn::logits_of(a, images), right = nn::logits_of(b, images);
  return ((left - right).abs().max() / left.abs().max()).item().toDouble();
}

/// Digits as a trial trains on them.
struct Digits {
  const data::ImageSet* set = &data::digits();
  std::vector<std::uint32_t> rows;
  data::PixelTable table{*set, data::no_normalisation(*set)};

  Digits() {
    for (std::uint32_t row = 0; row < 96; ++row) rows.push_back(row);
  }
  [[nodiscard]] nn::Samples samples() const { return {*set, rows, table, 32}; }
  [[nodiscard]] at::Tensor images() const { return nn::images_of(*set, rows, table); }
  [[nodiscard]] at::Tensor labels() const { return nn::labels_of(*set, rows); }
};

inline nn::Protocol short_protocol() {
  return {.epochs = 3,
          .batch = 32,
          .schedule = {.lr = .1, .gamma = 1, .milestones = ""},
          .sgd = {.momentum = .9, .weight_decay = 1e-2}};
}

}  // namespace retrial::pruning::fixture
