// Known answers: group S of the specification of determinism (keys), section 4 of that of distillation (models).
#include <ATen/TensorOperators.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "determinism/seeds/seeds.hpp"
#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/nn/layers/layers_torch.hpp"
#include "workloads/nn/layers/samples_torch.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"
#include "workloads/nn/training/training_torch.hpp"

namespace retrial::nn_model_tests {
namespace {

std::unique_ptr<nn::Model> model(const std::string& name, std::uint64_t seed = 1) {
  return nn::make(nn::parse_architecture(name, "student"), {1, 8, 8}, 10, seed);
}

at::Tensor some_images(std::uint32_t count) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < count; ++row) rows.push_back(row);
  return nn::images_of(data::digits(), rows, data::PixelTable(data::digits(), data::no_normalisation(data::digits())));
}

const at::Tensor& tensor(const nn::Model& built, const std::string& name) {
  for (const auto& [known, value] : built.parameters())
    if (known == name) return value;
  throw std::logic_error(name);
}

}  // namespace

TEST_CASE("a tensor starts as uniform draws of its own key within 1/sqrt(fan_in)") {
  const std::uint64_t init = variance::source_seed(1, "init", 0);
  const std::uint64_t key = variance::derive(init, "conv1.weight");
  REQUIRE(key == 0x6dedb29350cb805e);
  const auto built = model("cnn16", init);
  const at::Tensor& weight = tensor(*built, "conv1.weight");
  REQUIRE(weight.numel() == 144);
  for (std::int64_t e = 0; e < weight.numel(); ++e) {
    const double u =
        std::ldexp(static_cast<double>(variance::block(key, static_cast<std::uint64_t>(e), 0)[0] >> 11), -53);
    CHECK(weight.data_ptr<float>()[e] == static_cast<float>(-1. / 3 + (1. / 3 - -1. / 3) * u));  // fan_in 9
  }
}

TEST_CASE("batch norm starts as the identity") {
  const auto built = model("cnn4");
  CHECK(at::equal(tensor(*built, "bn2.weight"), at::full({8}, 1.0F)));
  CHECK(at::equal(tensor(*built, "bn2.bias"), at::full({8}, 0.0F)));
  for (const auto& [name, value] : built->buffers())
    CHECK(at::equal(value, at::full(value.sizes(), name.ends_with("var") ? 1.0F : 0.0F)));
}

/// Mean and unbiased variance of each channel of the first convolution's output, in double.
std::pair<at::Tensor, at::Tensor> moments(const nn::Model& built, const at::Tensor& images) {
  const at::Tensor x = at::conv2d(images, tensor(built, "conv1.weight"), {}, 1, 1).to(at::kDouble);
  return {x.mean({0, 2, 3}), x.var({0, 2, 3}, true)};
}

TEST_CASE("statistics are estimated from nothing: the mean of batches, weighted by their rows") {
  const auto built = model("cnn4");
  const at::Tensor images = some_images(1'300), before = tensor(*built, "conv1.weight").clone();
  const auto statistic = [&](const std::string& name) {
    const auto found = std::ranges::find(built->buffers(), name, [](const auto& named) { return named.first; });
    REQUIRE(found != built->buffers().end());
    return found->second;
  };
  statistic("bn1.running_mean").fill_(std::numeric_limits<double>::quiet_NaN());
  nn::estimate_statistics(*built, images);
  // Batches of 500, 500 and 300 rows. Their means, so weighted, are the mean of all rows.
  const auto [mean, whole_variance] = moments(*built, images);
  at::Tensor variance = at::zeros({mean.size(0)}, at::kDouble);
  for (const auto& [from, rows] : {std::pair<std::int64_t, std::int64_t>{0, 500}, {500, 500}, {1'000, 300}})
    variance += moments(*built, images.narrow(0, from, rows)).second * (static_cast<double>(rows) / 1'300);
  CHECK((statistic("bn1.running_mean") - mean).abs().max().item().toDouble() < 1e-6);
  CHECK((statistic("bn1.running_var") - variance).abs().max().item().toDouble() < 1e-6);
  CHECK(at::equal(tensor(*built, "conv1.weight"), before));
  // Where deeper layers see other inputs than those of a momentum of .1, a second estimate would move.
  const at::Tensor deep = statistic("bn2.running_mean").clone();
  nn::estimate_statistics(*built, images);
  CHECK(at::equal(statistic("bn2.running_mean"), deep));
}

TEST_CASE("adding a layer does not shift the draws of the others") {
  CHECK(at::equal(tensor(*model("mlp:32"), "fc1.weight"), tensor(*model("mlp:32,16"), "fc1.weight")));
  CHECK_FALSE(at::equal(tensor(*model("mlp:32"), "fc1.weight"), tensor(*model("mlp:32", 2), "fc1.weight")));
}

TEST_CASE("an untrained network loses about ln 10 on ten classes") {
  // Within 20 %: a column named loss holds a loss (the schema test of known mistake 10).
  for (const char* name : {"mlp:32", "cnn8"}) {
    const at::Tensor logits = nn::logits_of(*model(name), some_images(500));
    const double loss = -(logits - logits.logsumexp({1}, true)).mean().item().toDouble();
    CHECK_THAT(loss, WithinRel(std::log(10.0), .2));
  }
}

TEST_CASE("logits do not depend on the evaluation batch beyond rounding") {
  const auto built = model("cnn8");
  const at::Tensor images = some_images(40), together = nn::logits_of(*built, images);
  for (std::int64_t i = 0; i < 40; ++i)
    CHECK((nn::logits_of(*built, images.narrow(0, i, 1)) - together.narrow(0, i, 1)).abs().max().item().toDouble() <
          1e-4);
}

TEST_CASE("features have the shapes of their stages and do not change the logits") {
  const auto built = model("cnn4");
  const at::Tensor images = some_images(3);
  const nn::Activations seen = built->forward(images, {});
  CHECK(seen.stage[0].sizes().vec() == std::vector<std::int64_t>{3, 4, 8, 8});
  CHECK(seen.stage[1].sizes().vec() == std::vector<std::int64_t>{3, 8, 4, 4});
  CHECK(seen.stage[2].sizes().vec() == std::vector<std::int64_t>{3, 8, 2, 2});
  CHECK(seen.stage_pre[2].sizes().vec() == std::vector<std::int64_t>{3, 8, 4, 4});
  CHECK(seen.pooled.sizes().vec() == std::vector<std::int64_t>{3, 32});
  for (const at::Tensor& stage : seen.stage) CHECK(stage.min().item().toDouble() >= 0);
  CHECK(at::equal(seen.logits, nn::logits_of(*built, images)));
  CHECK(model("mlp:32")->forward(images, {}).stage.empty());
}

TEST_CASE("training updates the running statistics and evaluation leaves them") {
  const auto built = model("cnn4");
  const std::string before = determinism::hex(built->digest());
  (void)nn::logits_of(*built, some_images(8));
  CHECK(determinism::hex(built->digest()) == before);
  (void)built->forward(some_images(8), {.training = true, .dropout = {}});
  CHECK(determinism::hex(built->digest()) != before);
}

TEST_CASE("dropout keeps what its mask says and divides it by 1 - p") {
  const at::Tensor ones = at::full({2, 50}, 1.0F);
  const nn::Pass pass{.training = true, .dropout = nn::Dropout{.p = .5, .seed = 9, .step = 4}};
  const at::Tensor dropped = nn::drop(ones, "fc1", pass);
  const auto mask = determinism::keep_mask(variance::derive(std::uint64_t{9}, "fc1"), 4, .5, 100);
  for (std::int64_t e = 0; e < 100; ++e)
    CHECK(dropped.data_ptr<float>()[e] == (mask[static_cast<std::size_t>(e)] != 0 ? 2.0F : 0.0F));
  CHECK_FALSE(at::equal(dropped, nn::drop(ones, "fc2", pass)));
  CHECK(nn::drop(ones, "fc1", {}).is_same(ones));
}

TEST_CASE("the greatest logit wins, ties go to the lowest class, NaN ranks last") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const at::Tensor logits =
      at::tensor({1.F, 3.F, 3.F, nan, 5.F, 2.F, nan, nan, nan, -inf, nan, -1.F}, at::kFloat).view({4, 3});
  const at::Tensor labels = nn::predicted(logits);
  CHECK(at::equal(labels, at::tensor({1, 1, 0, 2}, at::kLong)));
  CHECK(nn::percent_equal(labels, at::tensor({1, 0, 0, 0}, at::kLong)) == 50);
}

TEST_CASE("an epoch hands out every row once, in the order of its key, the short batch last") {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < 70; ++row) rows.push_back(100 + row);
  nn::Samples samples(data::digits(), rows, data::PixelTable(data::digits(), data::no_normalisation(data::digits())),
                      32);
  samples.begin_epoch(5, 2);
  const auto order = determinism::epoch_order(5, 70, 2);
  CHECK(samples.batches() == 3);
  CHECK(samples.images(2).size(0) == 6);
  std::vector<std::uint32_t> seen;
  for (std::int64_t b = 0; b < 3; ++b) {
    const auto places = samples.places(b);
    seen.insert(seen.end(), places.begin(), places.end());
    CHECK(samples.labels(b)[0].item().toLong() == data::digits().labels[100 + places[0]]);
    CHECK(samples.images(b)[0][0][0][2].item().toDouble() == data::digits().image(100 + places[0])[2] / 16.0);
  }
  CHECK(seen == order);
}

TEST_CASE("one step of training is the definition of SGD applied to the gradient") {
  const auto trained = model("mlp:8"), reference = model("mlp:8");
  const std::vector<std::uint32_t> rows{3, 4, 5, 6};
  const data::PixelTable table(data::digits(), data::no_normalisation(data::digits()));
  const nn::Protocol protocol{.epochs = 1,
                              .batch = 4,
                              .schedule = {.lr = .1, .gamma = 1, .milestones = ""},
                              .sgd = {.momentum = .9, .weight_decay = .01, .nesterov = true}};
  nn::Training training(*trained, nn::Samples(data::digits(), rows, table, 4), protocol, {.order = 11});
  const auto objective = [](const nn::Model& net) {
    return [&net](const nn::BatchView& batch) {
      return std::vector<nn::Term>{{"square", 1, net.forward(batch.images, batch.pass).logits.square().mean()}};
    };
  };
  std::int64_t steps = 0;
  const nn::EpochReport report = training.epoch(objective(*trained), [&](std::int64_t step) { steps = step; });
  CHECK(steps == 1);
  CHECK(training.finished());

  nn::Samples samples(data::digits(), rows, table, 4);
  samples.begin_epoch(11, 0);
  const at::Tensor loss =
      reference->forward(samples.images(0), {.training = true, .dropout = {}}).logits.square().mean();
  CHECK(loss.item().toDouble() == report.loss);
  loss.backward();
  for (std::size_t i = 0; i < reference->parameters().size(); ++i) {
    const at::Tensor w = reference->parameters()[i].second.detach(),
                     g = reference->parameters()[i].second.grad() + .01F * w;
    CHECK((w - .1F * (g + .9F * g) - trained->parameters()[i].second).abs().max().item().toDouble() < 1e-7);
  }
}

TEST_CASE("an objective that is not finite stops training before its update") {
  const auto built = model("mlp:8");
  const data::PixelTable table(data::digits(), data::no_normalisation(data::digits()));
  nn::Training training(*built, nn::Samples(data::digits(), {1, 2, 3, 4}, table, 2), {.epochs = 3, .batch = 2}, {});
  std::int64_t calls = 0;
  std::string before;
  const nn::EpochReport report = training.epoch(
      [&](const nn::BatchView& batch) {
        before = determinism::hex(built->digest());
        const at::Tensor loss = built->forward(batch.images, batch.pass).logits.sum();
        return std::vector<nn::Term>{
            {"loss", 1, calls++ == 1 ? loss * std::numeric_limits<double>::quiet_NaN() : loss}};
      },
      [](std::int64_t) {});
  CHECK(report.diverged_at == 1);
  CHECK(training.finished());
  CHECK(determinism::hex(built->digest()) == before);
}

}  // namespace retrial::nn_model_tests
