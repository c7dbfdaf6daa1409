// Residual networks against expressions written out here in double precision: convolution and addition as the papers
// draw them, batch norm from its definition, gradients by autograd.
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <map>
#include <sstream>

#include "determinism/seeds/seeds.hpp"
#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/nn/layers/residual_torch.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"
#include "workloads/nn/training/training_torch.hpp"

namespace retrial::nn_residual_tests {
namespace {

using Block = nn::Residual::Block;
using Shortcut = nn::Residual::Shortcut;

constexpr std::uint64_t init = 77;
constexpr data::Shape photo{3, 8, 8};

/// One thread, as a worker's default mode has it: two that contend for one core make small steps far slower.
std::unique_ptr<nn::Model> made(const nn::Architecture& architecture, std::uint64_t seed = init) {
  at::set_num_threads(1);
  return nn::make(architecture, photo, 5, seed);
}

/// Two stages of one block and two, narrow.
nn::Architecture tiny(Block block, Shortcut shortcut = Shortcut::project, bool closing_relu = true) {
  return {.family = nn::Family::residual,
          .name = "tiny",
          .residual = nn::Residual{.stem = block == Block::wide ? 4 : 6,
                                   .widths = {6, 10},
                                   .blocks = {1, 2},
                                   .block = block,
                                   .shortcut = shortcut,
                                   .closing_relu = closing_relu}};
}

at::Tensor numbers(at::IntArrayRef sizes, std::uint64_t key) {
  const at::Tensor tensor = at::empty(sizes, at::kFloat);
  for (std::int64_t e = 0; e < tensor.numel(); ++e)
    tensor.data_ptr<float>()[e] =
        static_cast<float>(variance::normal(variance::block(key, static_cast<std::uint64_t>(e), 0)[0]));
  return tensor;
}

/// The parameters of a network again, in double and with gradients of their own.
struct Reference {
  explicit Reference(const nn::Model& model) {
    for (const auto& [name, tensor] : model.parameters())
      of[name] = tensor.detach().to(at::kDouble).clone().requires_grad_(true);
  }

  at::Tensor conv(const at::Tensor& x, const std::string& name, std::int64_t stride = 1) const {
    const at::Tensor& w = of.at(name + ".weight");
    return at::conv2d(x, w, {}, stride, w.size(2) == 3 ? 1 : 0);
  }
  at::Tensor norm(const at::Tensor& x, const std::string& name) const {
    const at::Tensor centred = x - x.mean({0, 2, 3}, true);
    const at::Tensor variance = centred.square().mean({0, 2, 3}, true);
    return centred / (variance + 1e-5).sqrt() * of.at(name + ".weight").view({1, -1, 1, 1}) +
           of.at(name + ".bias").view({1, -1, 1, 1});
  }
  /// Rectified unless it is the paper's slip.
  at::Tensor basic(const at::Tensor& x, const std::string& at, std::int64_t stride, bool projects,
                   bool rectified = true) const {
    const at::Tensor y =
        norm(conv(at::relu(norm(conv(x, at + ".conv1", stride), at + ".bn1")), at + ".conv2"), at + ".bn2");
    const at::Tensor sum = y + (projects ? norm(conv(x, at + ".shortcut", stride), at + ".shortcut_bn") : x);
    return rectified ? at::relu(sum) : sum;
  }
  at::Tensor classified(const at::Tensor& maps) const {
    return maps.mean({2, 3}).matmul(of.at("classifier.weight").t()) + of.at("classifier.bias");
  }

  std::map<std::string, at::Tensor> of;
};

/// Forward in training mode against `expected`, then the gradient of a sum of squares of the logits.
void check_against(const nn::Model& model, const Reference& reference, const at::Tensor& images,
                   const at::Tensor& expected) {
  const at::Tensor logits = model.forward(images, {.training = true, .dropout = {}}).logits;
  CHECK((logits - expected).abs().max().item().toDouble() < 1e-4);
  logits.square().sum().backward();
  expected.square().sum().backward();
  for (const auto& [name, tensor] : model.parameters()) {
    INFO(name);
    const at::Tensor& wanted = reference.of.at(name).grad();
    const double size = wanted.abs().max().item().toDouble();
    CHECK(size > 0);
    CHECK((tensor.grad() - wanted).abs().max().item().toDouble() < 1e-3 * size + 1e-5);
  }
}

}  // namespace

TEST_CASE("basic blocks with shortcut B are what He et al. draw, forward and backward") {
  const auto model = made(tiny(Block::basic));
  const Reference net(*model);
  const at::Tensor images = numbers({4, 3, 8, 8}, 1);
  at::Tensor x = at::relu(net.norm(net.conv(images.to(at::kDouble), "conv1"), "bn1"));
  x = net.basic(x, "stage1.0", 1, false);
  x = net.basic(x, "stage2.0", 2, true);
  x = net.basic(x, "stage2.1", 1, false);
  check_against(*model, net, images, net.classified(x));
}

TEST_CASE("shortcut A takes every other pixel and adds zero channels before and after") {
  const auto model = made(tiny(Block::basic, Shortcut::pad));
  const Reference net(*model);
  const at::Tensor images = numbers({4, 3, 8, 8}, 2);
  at::Tensor x = at::relu(net.norm(net.conv(images.to(at::kDouble), "conv1"), "bn1"));
  x = net.basic(x, "stage1.0", 1, false);
  const at::Tensor even = at::arange(0, 8, 2, at::kLong), none = at::zeros({4, 2, 4, 4}, at::kDouble);
  const at::Tensor shortcut = at::cat({none, x.index_select(2, even).index_select(3, even), none}, 1);
  const at::Tensor inner = at::relu(net.norm(net.conv(x, "stage2.0.conv1", 2), "stage2.0.bn1"));
  x = at::relu(net.norm(net.conv(inner, "stage2.0.conv2"), "stage2.0.bn2") + shortcut);
  x = net.basic(x, "stage2.1", 1, false);
  check_against(*model, net, images, net.classified(x));
}

TEST_CASE("norelu leaves the sum of a block as it is") {
  const auto model = made(tiny(Block::basic, Shortcut::project, false));
  const Reference net(*model);
  const at::Tensor images = numbers({4, 3, 8, 8}, 3);
  at::Tensor x = at::relu(net.norm(net.conv(images.to(at::kDouble), "conv1"), "bn1"));
  x = net.basic(x, "stage1.0", 1, false, false);
  x = net.basic(x, "stage2.0", 2, true, false);
  x = net.basic(x, "stage2.1", 1, false, false);
  check_against(*model, net, images, net.classified(x));
  CHECK(model->forward(images, {}).stage[1].min().item().toDouble() < 0);
  CHECK(made(tiny(Block::basic))->forward(images, {}).stage[1].min().item().toDouble() >= 0);
}

TEST_CASE("a bottleneck narrows, convolves with the stride and widens to four times") {
  const auto model = made(tiny(Block::bottleneck));
  const Reference net(*model);
  const auto block = [&](const at::Tensor& x, const std::string& at, std::int64_t stride, bool projects) {
    at::Tensor y = at::relu(net.norm(net.conv(x, at + ".conv1"), at + ".bn1"));
    y = at::relu(net.norm(net.conv(y, at + ".conv2", stride), at + ".bn2"));
    y = net.norm(net.conv(y, at + ".conv3"), at + ".bn3");
    return at::relu(y + (projects ? net.norm(net.conv(x, at + ".shortcut", stride), at + ".shortcut_bn") : x));
  };
  const at::Tensor images = numbers({4, 3, 8, 8}, 4);
  at::Tensor x = at::relu(net.norm(net.conv(images.to(at::kDouble), "conv1"), "bn1"));
  x = block(x, "stage1.0", 1, true);
  x = block(x, "stage2.0", 2, true);
  x = block(x, "stage2.1", 1, false);
  CHECK(x.size(1) == 40);
  check_against(*model, net, images, net.classified(x));
}

TEST_CASE("a wide block norms and rectifies before it convolves, and projects what it rectified") {
  const auto model = made(tiny(Block::wide));
  const Reference net(*model);
  const auto block = [&](const at::Tensor& x, const std::string& at, std::int64_t stride, bool projects) {
    const at::Tensor opened = at::relu(net.norm(x, at + ".bn1"));
    const at::Tensor y =
        net.conv(at::relu(net.norm(net.conv(opened, at + ".conv1", stride), at + ".bn2")), at + ".conv2");
    return y + (projects ? net.conv(opened, at + ".shortcut", stride) : x);
  };
  const at::Tensor images = numbers({4, 3, 8, 8}, 5);
  at::Tensor x = net.conv(images.to(at::kDouble), "conv1");
  x = block(x, "stage1.0", 1, true);
  x = block(x, "stage2.0", 2, true);
  x = block(x, "stage2.1", 1, false);
  check_against(*model, net, images, net.classified(at::relu(net.norm(x, "bn"))));
}

TEST_CASE("paper A's network averages windows of 4x4, so its classifier has 256 inputs") {
  const auto model = nn::make(nn::parse_architecture("resnet8s:w=2", "student"), {3, 32, 32}, 10, init);
  const nn::Activations seen = model->forward(numbers({2, 3, 32, 32}, 6), {});
  CHECK(seen.stage[2].sizes().vec() == std::vector<std::int64_t>{2, 8, 8, 8});
  CHECK(seen.pooled.sizes().vec() == std::vector<std::int64_t>{2, 32});
  const at::Tensor corner = seen.stage[2].slice(2, 0, 4).slice(3, 4, 8).mean({2, 3});  // channel c, window (0, 1)
  CHECK((seen.pooled.view({2, 8, 2, 2}).select(2, 0).select(2, 1) - corner).abs().max().item().toDouble() < 1e-6);
}

TEST_CASE("features of a residual network are its stages, before and after the closing ReLU") {
  for (const char* name : {"resnet14a:w=4", "resnet14b:w=4", "wrn-16-1"}) {
    INFO(name);
    const auto model = nn::make(nn::parse_architecture(name, "student"), {3, 16, 16}, 10, init);
    const at::Tensor images = numbers({3, 3, 16, 16}, 7);
    const nn::Activations seen = model->forward(images, {});
    REQUIRE(seen.stage.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(seen.stage[i].size(2) == 16 >> i);
      CHECK(at::equal(seen.stage[i], at::relu(seen.stage_pre[i])));
      CHECK(seen.stage_pre[i].min().item().toDouble() < 0);
    }
    CHECK(at::equal(seen.logits, nn::logits_of(*model, images)));
  }
}

TEST_CASE("a convolution starts as normal draws of its own key with variance 2 / fan_out") {
  const auto model = nn::make(nn::parse_architecture("resnet8b", "student"), {3, 16, 16}, 10, init);
  for (const auto& [name, weight] : model->parameters()) {
    if (name != "stage2.0.conv1.weight") continue;
    const std::uint64_t key = variance::derive(init, "stage2.0.conv1.weight");
    const double sd = std::sqrt(2.0 / 288);
    for (std::int64_t e = 0; e < weight.numel(); e += 97)
      CHECK(weight.data_ptr<float>()[e] ==
            static_cast<float>(sd * variance::normal(variance::block(key, static_cast<std::uint64_t>(e), 0)[0])));
    CHECK_THAT(weight.square().mean().sqrt().item().toDouble(), WithinRel(sd, .03));
    return;
  }
  FAIL("no such tensor");
}

TEST_CASE("a model whose table does not agree with its closed form is not built") {
  nn::Architecture wrong = tiny(Block::basic);
  wrong.residual->depth = 8;
  CHECK_NOTHROW(made(wrong));  // the depth is a name, not a size
  for (const char* name : {"resnet8a", "resnet8b", "resnet8s", "resnet20b", "wrn-10-2", "resnet8x4", "resnet10x"}) {
    const auto model = nn::make(nn::parse_architecture(name, "student"), {3, 16, 16}, 10, init);
    std::int64_t built = 0;
    for (const auto& [tensor, value] : model->parameters()) built += value.numel();
    CHECK(built == model->identity().parameters);
  }
}

TEST_CASE("dropout of a wide ResNet acts between the convolutions of a block, in training alone") {
  const auto model = made(tiny(Block::wide));
  const at::Tensor images = numbers({4, 3, 8, 8}, 8);
  const nn::Pass none{.training = true, .dropout = {}},
      half{.training = true, .dropout = nn::Dropout{.p = .5, .seed = 3, .step = 0}},
      later{.training = true, .dropout = nn::Dropout{.p = .5, .seed = 3, .step = 1}};
  const at::Tensor logits = model->forward(images, none).logits;
  CHECK_FALSE(at::equal(logits, model->forward(images, half).logits));
  CHECK_FALSE(at::equal(model->forward(images, half).logits, model->forward(images, later).logits));
  CHECK(at::equal(model->forward(images, half).logits, model->forward(images, half).logits));
  const nn::Pass evaluation{.training = false, .dropout = nn::Dropout{.p = .5, .seed = 3, .step = 0}};
  CHECK(at::equal(model->forward(images, evaluation).logits, model->forward(images, {}).logits));
}

TEST_CASE("equal seeds train a residual network to equal bits, another init seed does not") {
  const auto trained = [](std::uint64_t seed, std::int64_t pause_after) {
    at::set_num_threads(1);
    const data::PixelTable table(data::digits(), data::no_normalisation(data::digits()));
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < 64; ++row) rows.push_back(row);
    const nn::Architecture architecture = nn::parse_architecture("resnet8b:w=4", "student");
    const nn::Protocol protocol{.epochs = 3,
                                .batch = 16,
                                .schedule = {.lr = .05, .gamma = .1, .milestones = "1/3"},
                                .sgd = {.momentum = .9, .weight_decay = 5e-4, .nesterov = true}};
    auto model = nn::make(architecture, {1, 8, 8}, 10, seed);
    auto training = std::make_unique<nn::Training>(*model, nn::Samples(data::digits(), rows, table, 16), protocol,
                                                   nn::TrainingSeeds{.order = 4});
    const auto objective = [&](const nn::BatchView& batch) {
      const at::Tensor logits = model->forward(batch.images, batch.pass).logits;
      return std::vector<nn::Term>{
          {"ce", 1, (logits.logsumexp({1}) - logits.gather(1, batch.labels.unsqueeze(1)).squeeze(1)).mean()}};
    };
    while (!training->finished()) {
      if (training->epochs_done() == pause_after) {  // as a process that was ended would go on in another
        std::stringstream state;
        nn::StateWriter to(state);
        training->save(to);
        model = nn::make(architecture, {1, 8, 8}, 10, seed + 1);
        training = std::make_unique<nn::Training>(*model, nn::Samples(data::digits(), rows, table, 16), protocol,
                                                  nn::TrainingSeeds{.order = 4});
        nn::StateReader from(state);
        training->load(from);
      }
      training->epoch(objective, [](std::int64_t) {});
    }
    return determinism::hex(model->digest());
  };
  const std::string straight = trained(5, -1);
  CHECK(trained(5, -1) == straight);
  CHECK(trained(5, 1) == straight);
  CHECK(trained(5, 2) == straight);
  CHECK(trained(6, -1) != straight);
}

}  // namespace retrial::nn_residual_tests
