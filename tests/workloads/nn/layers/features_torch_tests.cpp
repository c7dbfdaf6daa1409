// Features that networks declare, and what single terms contribute to a gradient: sections 4.4, 6.26 and 10 of the
// specification of distillation.
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/relu.h>

#include <sstream>

#include "tests/catch.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/distillation/libtorch/dot_torch.hpp"
#include "workloads/distillation/trial/dot.hpp"
#include "workloads/nn/shape/outline.hpp"
#include "workloads/nn/training/training_torch.hpp"

namespace retrial::nn_features_tests {
namespace {

at::Tensor images(std::uint32_t count) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < count; ++row) rows.push_back(row);
  return nn::images_of(data::digits(), rows, data::PixelTable(data::digits(), data::no_normalisation(data::digits())));
}

nn::Architecture network(const std::string& name) {
  return nn::parse_architecture(name, "student");
}

std::vector<std::int64_t> sizes_of(const at::Tensor& map) {
  return map.sizes().slice(1).vec();
}
std::vector<std::int64_t> sizes_of(const nn::MapShape& map) {
  return {map.channels, map.height, map.width};
}

nn::Samples samples(std::uint32_t count, std::int64_t batch) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < count; ++row) rows.push_back(row);
  return {data::digits(), rows, data::PixelTable(data::digits(), data::no_normalisation(data::digits())), batch};
}

}  // namespace

TEST_CASE("every network returns features of the sizes that are known without building it") {
  for (const char* name : {"mlp:12,7", "cnn2", "resnet8a:w=8", "resnet8b:w=8", "resnet8b:w=8,norelu", "resnet10x",
                           "resnet50x", "wrn-10-1"}) {
    INFO(name);
    const nn::Outline outline = nn::outline_of(network(name), {1, 8, 8});
    const nn::Activations seen = nn::make(network(name), {1, 8, 8}, 10, 1)->forward(images(2), {});
    CHECK(seen.pooled.size(1) == outline.pooled);
    REQUIRE(seen.stem.defined() == outline.stem.has_value());
    if (outline.stem) CHECK(sizes_of(seen.stem) == sizes_of(*outline.stem));
    REQUIRE(seen.stage.size() == outline.stages.size());
    REQUIRE(seen.stage_pre.size() == outline.stages.size());
    REQUIRE(seen.stage_norm.size() == outline.stages.size());
    for (std::size_t i = 0; i < seen.stage.size(); ++i) {
      CHECK(sizes_of(seen.stage[i]) == sizes_of(outline.stages[i].map));
      CHECK(sizes_of(seen.stage_pre[i]) == sizes_of(outline.stages[i].before));
      CHECK(seen.stage_norm[i].weight.defined() == outline.stages[i].normed);
      if (outline.stages[i].normed) CHECK(seen.stage_norm[i].bias.size(0) == outline.stages[i].before.channels);
    }
  }
}

TEST_CASE("a stage's map is the ReLU of the map before it, unless the network lacks that ReLU") {
  for (const char* name : {"resnet8b:w=8", "wrn-10-1"}) {
    const nn::Activations seen = nn::make(network(name), {1, 8, 8}, 10, 1)->forward(images(2), {});
    for (std::size_t i = 0; i < seen.stage.size(); ++i) {
      CHECK(at::equal(seen.stage[i], at::relu(seen.stage_pre[i])));
      CHECK(seen.stage[i].min().item().toDouble() >= 0);
      CHECK(seen.stage_pre[i].min().item().toDouble() < 0);
    }
  }
  const nn::Activations bare = nn::make(network("resnet8b:w=8,norelu"), {1, 8, 8}, 10, 1)->forward(images(2), {});
  CHECK(bare.stage[0].min().item().toDouble() < 0);
}

TEST_CASE("the shares of the terms add up to the gradient of the objective, and a term left out is missed") {
  const auto model = nn::make(network("mlp:8"), {1, 8, 8}, 10, 1);
  nn::Training training(*model, samples(20, 10), {.epochs = 1, .batch = 10, .schedule = {.lr = .1}}, {.order = 1});
  const nn::Objective objective = [&](const nn::BatchView& batch) {
    const at::Tensor logits = model->forward(batch.images, batch.pass).logits;
    return std::vector<nn::Term>{
        {"square", .5, logits.square().mean()}, {"sum", 2, logits.sum()}, {"nothing", 1, (logits * 0).sum()}};
  };
  const nn::Shares shares = training.shares(objective, model->parameters());
  REQUIRE(shares.terms.size() == 3);
  const auto distance = [&](const at::Tensor& sum) {
    return (shares.total.gradient - sum).norm().item().toDouble() / shares.total.norm();
  };
  const at::Tensor square = shares.terms[0].gradient, sum = shares.terms[1].gradient;
  CHECK(distance(square + sum) < 1e-6);
  CHECK(distance(sum) > 1e-4);
  CHECK(shares.terms[0].norm() > 0);
  CHECK(shares.terms[2].norm() == 0);
  CHECK_THAT(shares.total.value, WithinRel(shares.terms[0].value + shares.terms[1].value, 1e-5));
  for (const auto& [name, tensor] : model->parameters()) CHECK_FALSE(tensor.grad().defined());
}

// One step of plain SGD moves the weights by the learning rate times the gradient.
TEST_CASE("a watched training tells the length of its first step term by term, and takes the same steps") {
  const auto step = [](bool watched) {
    const auto model = nn::make(network("mlp:8"), {1, 8, 8}, 10, 1);
    const auto flat = [&] {
      std::vector<at::Tensor> parts;
      for (const auto& [name, tensor] : model->parameters()) parts.push_back(tensor.flatten().to(at::kDouble));
      return at::cat(parts).clone();
    };
    nn::Training training(*model, samples(20, 20),
                          {.epochs = 1, .batch = 20, .schedule = {.lr = .5}, .sgd = {.momentum = 0, .nesterov = false}},
                          {.order = 1});
    if (watched) training.watch(model->parameters());
    const at::Tensor before = flat();
    const nn::EpochReport report = training.epoch(nn::labels_alone(*model), [](std::int64_t) {});
    return std::tuple(report, (flat() - before).norm().item().toDouble(), determinism::hex(model->digest()));
  };
  const auto [report, moved, digest] = step(true);
  REQUIRE(report.gradient_norms.size() == 1);
  CHECK(report.gradient_norms[0].first == "ce");
  CHECK_THAT(report.gradient_norms[0].second * .5, WithinRel(moved, 1e-5));
  const auto [plain, plain_moved, plain_digest] = step(false);
  CHECK(plain.gradient_norms.empty());
  CHECK(plain_digest == digest);
}

TEST_CASE("a tensor that no term reaches does not move, not even by weight decay") {
  const auto model = nn::make(network("mlp:8"), {1, 8, 8}, 10, 1);
  const at::Tensor classifier = model->parameters()[2].second.clone();
  nn::Training training(*model, samples(20, 10),
                        {.epochs = 1, .batch = 10, .schedule = {.lr = .1}, .sgd = {.weight_decay = .1}}, {.order = 1});
  training.epoch(
      [&](const nn::BatchView& batch) {
        return std::vector<nn::Term>{{"pooled", 1, model->forward(batch.images, batch.pass).pooled.sum()}};
      },
      [](std::int64_t) {});
  CHECK(at::equal(classifier, model->parameters()[2].second));
  CHECK(model->parameters()[2].first == "classifier.weight");
}

TEST_CASE("with dot the gradients of labels and teacher keep velocities of their own, as its formula says") {
  // Three steps of two numbers, written out in double; w1 is reached by the task alone and takes the plain momentum.
  std::vector<float> w{1, -1}, v{0, 0}, u{0, 0};
  const nn::Sgd sgd{.momentum = .9, .weight_decay = .01};
  double x = 1, y = -1, vx = 0, ux = 0, vy = 0;
  for (int step = 1; step <= 3; ++step) {
    const std::vector<float> task{.1F * static_cast<float>(step), .2F}, imitation{-.3F, 0};
    distillation::dot_step(std::span(w).first(1), std::span(task).first(1), std::span(imitation).first(1),
                           {std::span(v).first(1), std::span(u).first(1)}, .5, .075, sgd);
    nn::sgd_step(std::span(w).last(1), std::span(task).last(1), std::span(v).last(1), .5, sgd);
    vx = .825 * vx + .1 * step + .01 * x;
    ux = .975 * ux - .3;
    x -= .5 * (vx + ux);
    vy = .9 * vy + .2 + .01 * y;
    y -= .5 * vy;
    CHECK_THAT(w[0], WithinRel(x, 1e-5));
    CHECK_THAT(w[1], WithinRel(y, 1e-5));
  }
}

TEST_CASE("a training with dot, saved and loaded, continues to the same bits, and differs from one without") {
  const auto trained = [](std::optional<double> delta, bool interrupted) {
    const auto model = nn::make(network("mlp:8"), {1, 8, 8}, 10, 1);
    const nn::Protocol protocol{.epochs = 2,
                                .batch = 10,
                                .schedule = {.lr = .01},
                                .sgd = {.momentum = .9},
                                .optimizer = delta ? distillation::dot_optimizer(*delta) : nn::sgd_optimizer};
    const nn::Objective objective = [&](const nn::BatchView& batch) {
      const nn::Activations seen = model->forward(batch.images, batch.pass);
      return std::vector<nn::Term>{{"ce", 1, seen.logits.square().mean()},
                                   {"kd", 1, (seen.pooled - 1).square().mean()}};
    };
    auto training = std::make_unique<nn::Training>(*model, samples(20, 10), protocol, nn::TrainingSeeds{.order = 1});
    training->epoch(objective, [](std::int64_t) {});
    if (interrupted) {
      std::stringstream state;
      nn::StateWriter to(state);
      training->save(to);
      training = std::make_unique<nn::Training>(*model, samples(20, 10), protocol, nn::TrainingSeeds{.order = 1});
      nn::StateReader from(state);
      training->load(from);
    }
    training->epoch(objective, [](std::int64_t) {});
    return determinism::hex(model->digest());
  };
  CHECK(trained(.075, false) == trained(.075, true));
  CHECK(trained(.075, false) != trained(std::nullopt, false));
}

}  // namespace retrial::nn_features_tests
