// Masks on real networks: what scores see, what shrinking keeps, what training leaves at 0. Values without another
// origin are those of the specification of pruning 15.2, 15.3.
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <cmath>
#include <limits>

#include "tests/workloads/pruning/tensors/network_torch.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"
#include "workloads/pruning/network/size.hpp"
#include "workloads/pruning/steps/step.hpp"
#include "workloads/pruning/tensors/apply_torch.hpp"
#include "workloads/pruning/tensors/pruned_torch.hpp"
#include "workloads/pruning/tensors/shrink_torch.hpp"
#include "workloads/pruning/tensors/sight_torch.hpp"

namespace retrial::pruning_network_torch_tests {
using namespace pruning;
using namespace pruning::fixture;

TEST_CASE("layers run in the order of the table, and their patches times their weights are their outputs") {
  for (const std::string name : {"mlp:8,5", "cnn4", "resnet8a", "resnet8b", "resnet50x", "wrn-10-1"}) {
    CAPTURE(name);
    const Blueprint blueprint = blueprint_of(name);
    const auto model = lived_in(blueprint);
    const MaskSet masks = all_live(blueprint.network);
    const at::Tensor images = noise({2, 3, 16, 16}, 3), labels = at::empty({2}, at::kLong).fill_(1);
    const Sight sight = sight_of(*model, blueprint.network, masks, images, labels);
    std::vector<std::size_t> seen;
    std::vector<double> outputs;
    sight.each_patch([&](std::int64_t sample, std::size_t l, const Patches& patches) {
      if (sample == 1) return;
      seen.push_back(l);
      const Layer& layer = blueprint.network.layers[l];
      CHECK(patches.positions == layer.positions);
      REQUIRE(static_cast<std::int64_t>(patches.values.size()) == layer.columns() * layer.positions);
      double sum = 0;  // the last output of the last filter, in double
      for (std::int64_t j = 0; j < layer.columns(); ++j)
        sum += double{sight.weights[l][sight.weights[l].size() - static_cast<std::size_t>(layer.columns() - j)]} *
               double{patches.column(j)[layer.positions - 1]};
      outputs.push_back(sum);
    });
    std::vector<double> expected;
    const nn::LayerWatch watch = [&](const nn::LayerView& view) {
      const at::Tensor y = view.output.contiguous().flatten();
      expected.push_back(y[y.numel() - 1].item().toDouble());
    };
    (void)model->forward(images.narrow(0, 0, 1), {.training = false, .dropout = {}, .watch = &watch});
    REQUIRE(seen.size() == blueprint.network.layers.size());
    for (std::size_t l = 0; l < seen.size(); ++l) {
      CHECK(seen[l] == l);
      if (name[0] != 'm' && l + 1 < seen.size()) CHECK_THAT(outputs[l], WithinAbs(expected[l], 1e-3));  // no bias
    }
  }
}

TEST_CASE("a smaller network computes what the masked one does, in every family") {
  for (const std::string name : {"mlp:40,20", "cnn16", "resnet8a", "resnet8b", "resnet20a", "wrn-10-1", "resnet50x"}) {
    for (const double keep : {.6, .2}) {
      CAPTURE(name, keep);
      const Blueprint blueprint = blueprint_of(name);
      const auto model = lived_in(blueprint);
      const MaskSet masks = some_channels(blueprint.network, keep);
      apply(*model, blueprint.network, masks);
      const auto smaller = shrink(*model, blueprint.architecture, blueprint.network, masks);
      CHECK(apart(*model, *smaller, noise({4, 3, 16, 16}, 9)) < 1e-5);
      CHECK(smaller->identity().macs == size_left(blueprint.network, {masks}).dense_macs);
      CHECK(smaller->identity().macs < model->identity().macs);
      std::int64_t weights = 0;
      for (const auto& [tensor_name, tensor] : smaller->parameters()) weights += tensor.dim() > 1 ? tensor.numel() : 0;
      CHECK(weights == masks.live());
    }
  }
}

TEST_CASE("a removed channel that still gives a constant is refused with its layer") {
  const Blueprint blueprint = blueprint_of("cnn4");
  const auto model = lived_in(blueprint);
  MaskSet masks = all_live(blueprint.network);
  std::fill_n(masks.layers[0].bits.begin(), blueprint.network.layers[0].columns(), std::uint8_t{0});  // filter 0 alone
  CHECK_THROWS_WITH(shrink(*model, blueprint.architecture, blueprint.network, masks), has_text("layer bn1"));
  apply(*model, blueprint.network, masks);  // clears its scale and shift
  const auto smaller = shrink(*model, blueprint.architecture, blueprint.network, masks);
  CHECK(apart(*model, *smaller, noise({4, 3, 16, 16}, 9)) < 1e-5);
}

TEST_CASE("a layer without any channel cannot be shrunk") {
  const Blueprint blueprint = blueprint_of("mlp:4,3");
  const auto model = lived_in(blueprint);
  MaskSet masks = all_live(blueprint.network);
  std::fill(masks.layers[0].bits.begin(), masks.layers[0].bits.end(), std::uint8_t{0});
  apply(*model, blueprint.network, masks);
  CHECK_THROWS_WITH(shrink(*model, blueprint.architecture, blueprint.network, masks), has_text("no channel left"));
}

TEST_CASE("weights that nothing reaches are found, and only those") {
  const Blueprint blueprint = blueprint_of("mlp:4,3");
  const auto model = lived_in(blueprint);
  const MaskSet all = all_live(blueprint.network);
  const auto found = [&](const MaskSet& masks) {
    apply(*model, blueprint.network, masks);
    return without_unreachable(*model, blueprint.architecture, blueprint.network, photo, masks);
  };
  CHECK(found(all) == all);
  MaskSet cut = all;  // hidden unit 1 of the second layer loses its outputs, unit 2 of the first its inputs
  for (std::size_t row = 0; row < 10; ++row) cut.layers[2].bits[row * 3 + 1] = 0;
  std::fill_n(cut.layers[0].bits.begin() + 2 * 768, 768, std::uint8_t{0});
  const MaskSet reached = found(cut);
  CHECK(reached.live() == cut.live() - 4 - 3 + 1);  // its four inputs, three columns, one weight in both
}

TEST_CASE("snip is its formula on a linear softmax classifier") {
  // W = ((1, -1), (.5, .25)), x = (1, 2), y = 0
  const double p0 = 1 / (1 + std::exp(2.0));  // softmax of (-1, 1)
  CHECK_THAT(1 - p0, WithinAbs(.88079708, 5e-9));
  const Blueprint blueprint = blueprint_of("mlp:6", {1, 8, 8});
  const auto model = nn::make(blueprint.architecture, blueprint.input, 10, 3);
  const MaskSet masks = all_live(blueprint.network);
  const Digits digits;
  const at::Tensor images = digits.images().narrow(0, 0, 5), labels = digits.labels().narrow(0, 0, 5);
  const Sight sight = sight_of(*model, blueprint.network, masks, images, labels);
  const WeightScores scores = snip(sight);
  at::cross_entropy_loss(model->forward(images, {}).logits, labels).backward();  // the mean over the batch
  for (std::size_t l = 0; l < 2; ++l) {
    const at::Tensor weight = weights_of(*model, blueprint.network)[l];
    const at::Tensor expected = (weight * weight.grad()).abs().flatten();
    for (std::size_t e = 0; e < scores[l].size(); e += 7)
      CHECK_THAT(scores[l][e], WithinAbs(expected[static_cast<std::int64_t>(e)].item().toDouble(), 1e-6));
  }
}

TEST_CASE("masked weights, and their momentum, are 0 after every step, under weight decay and momentum") {
  const Digits digits;
  const Blueprint blueprint = blueprint_of("mlp:12,6", {1, 8, 8});
  const auto start = nn::make(blueprint.architecture, blueprint.input, 10, 3);
  Pruned pruned(blueprint, *start);
  const MaskSet all = all_live(blueprint.network);
  const Sight sight = sight_of(pruned.model(), blueprint.network, all, {}, {});
  pruned.mask(prune_step(sight, .3, {.method = &find_method("wt")}).masks);
  pruned.retrain(digits.samples(), short_protocol(), {.order = 1});
  std::int64_t steps = 0;
  while (!pruned.training().finished())
    (void)pruned.epoch([&](std::int64_t) {
      ++steps;
      CHECK_NOTHROW(require_applied(pruned.model(), blueprint.network, pruned.masks()));
    });
  CHECK(steps == 9);
  CHECK(non_zero(pruned.model()).values <= pruned.masks().live() + 12 + 6 + 10);
  CHECK_THROWS_WITH(pruned.mask(all_live(blueprint.network)), "a masked weight was kept again");
}

TEST_CASE("masks come from masks, never from values: kept weights are trained whatever their sign and size") {
  // Others froze every weight below a small number, and so every negative one.
  const Digits digits;
  const Blueprint blueprint = blueprint_of("mlp:12,6", {1, 8, 8});
  const auto start = nn::make(blueprint.architecture, blueprint.input, 10, 3);
  Pruned pruned(blueprint, *start);
  pruned.mask(prune_step(sight_of(pruned.model(), blueprint.network, pruned.masks(), {}, {}), .5,
                         {.method = &find_method("wt")})
                  .masks);
  const auto kept_values = [&] {
    std::vector<float> found;
    const auto weights = weights_of(pruned.model(), blueprint.network);
    for (std::size_t l = 0; l < weights.size(); ++l)
      for (std::size_t e = 0; e < pruned.masks().layers[l].bits.size(); ++e)
        if (pruned.masks().layers[l].bits[e] != 0) found.push_back(weights[l].data_ptr<float>()[e]);
    return found;
  };
  const auto before = kept_values();
  CHECK(std::count_if(before.begin(), before.end(), [](float w) { return w < 0; }) > 100);
  pruned.retrain(digits.samples(), short_protocol(), {.order = 1});
  (void)pruned.epoch([](std::int64_t) {});
  const auto after = kept_values();
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(after[i] != before[i]);  // weight decay alone moves each
}

TEST_CASE("without masks held, training fills them again: the control of the test above") {
  const Digits digits;
  const Blueprint blueprint = blueprint_of("mlp:12,6", {1, 8, 8});
  const auto model = nn::make(blueprint.architecture, blueprint.input, 10, 3);
  const MaskSet all = all_live(blueprint.network);
  const MaskSet masks =
      prune_step(sight_of(*model, blueprint.network, all, {}, {}), .3, {.method = &find_method("wt")}).masks;
  apply(*model, blueprint.network, masks);
  nn::Training training(*model, digits.samples(), short_protocol(), {.order = 1});
  (void)training.epoch(nn::labels_alone(*model), [](std::int64_t) {});
  CHECK_THROWS_WITH(require_applied(*model, blueprint.network, masks), has_text("masked weight that is not 0"));
}

TEST_CASE("channels that are gone stay silent through training, so that the smaller network still agrees") {
  const Digits digits;
  for (const std::string name : {"mlp:20,10", "cnn4", "resnet8a:w=4", "wrn-10-1"}) {
    CAPTURE(name);
    const Blueprint blueprint = blueprint_of(name, {1, 8, 8});
    const auto start = nn::make(blueprint.architecture, blueprint.input, 10, 3);
    Pruned pruned(blueprint, *start);
    pruned.mask(some_channels(blueprint.network, .4));
    pruned.retrain(digits.samples(), short_protocol(), {.order = 1});
    (void)pruned.epoch([](std::int64_t) {});
    const auto smaller = shrink(pruned.model(), blueprint.architecture, blueprint.network, pruned.masks());
    CHECK(apart(pruned.model(), *smaller, digits.images()) < 1e-5);
  }
}

TEST_CASE("training again draws the orders of later epochs, and starts the schedule again") {
  const Digits digits;
  const Blueprint blueprint = blueprint_of("mlp:6", {1, 8, 8});
  const auto run = [&](std::int64_t before) {
    const auto model = nn::make(blueprint.architecture, blueprint.input, 10, 3);
    nn::Protocol protocol = short_protocol();
    protocol.epochs_before = before;
    nn::Training training(*model, digits.samples(), protocol, {.order = 1});
    (void)training.epoch(nn::labels_alone(*model), [](std::int64_t) {});
    return determinism::hex(model->digest());
  };
  CHECK(run(0) != run(3));
  CHECK(run(3) == run(3));
}

TEST_CASE("scores do not depend on the number of threads") {
  const Blueprint blueprint = blueprint_of("cnn4");
  const auto model = lived_in(blueprint);
  const MaskSet masks = all_live(blueprint.network);
  const at::Tensor images = noise({3, 3, 16, 16}, 3), labels = at::empty({3}, at::kLong).fill_(1);
  const Sight sight = sight_of(*model, blueprint.network, masks, images, labels);
  for (const Method& method : all_methods()) {
    CAPTURE(method.name);
    at::set_num_threads(2);
    const auto with_two = scores_of(method, sight);
    at::set_num_threads(1);
    CHECK(scores_of(method, sight) == with_two);
  }
}

TEST_CASE("live weights and weights that are not 0 are two things") {
  const Blueprint blueprint = blueprint_of("mlp:4,3", {1, 8, 8});
  const auto model = nn::make(blueprint.architecture, blueprint.input, 10, 3);
  const Size size = size_left(blueprint.network, {all_live(blueprint.network)});
  CHECK(size.pr_weights == 0);
  CHECK(size.pr_all == 0);
  CHECK(size.compression == 1);
  CHECK(size.speedup_theory == 1);
  CHECK(size.macs == model->identity().macs);
  float* w = model->parameters()[0].second.data_ptr<float>();
  w[0] = 0;                                         // live, and 0
  w[1] = std::numeric_limits<float>::denorm_min();  // live, and hardly more
  CHECK(non_zero(*model).values == model->identity().parameters - 1);
  CHECK(non_zero(*model).denormals == 1);
}

TEST_CASE("multiply-accumulates are scaled by the density of each layer") {
  const Blueprint blueprint = blueprint_of("cnn4", {1, 8, 8});
  MaskSet masks = all_live(blueprint.network);
  const std::int64_t dense = size_left(blueprint.network, {masks}).macs;
  std::fill_n(masks.layers[1].bits.begin(), 9, std::uint8_t{0});  // nine weights used at 64 positions
  const Size size = size_left(blueprint.network, {masks});
  CHECK(dense - size.macs == 9 * 64);
  CHECK(*size.speedup_theory > 1);
  CHECK(size.speedup_shrunk == 1);  // no channel is gone
  for (LayerMask& layer : masks.layers) std::fill(layer.bits.begin(), layer.bits.end(), std::uint8_t{0});
  CHECK_FALSE(size_left(blueprint.network, {masks}).speedup_theory);
}

}  // namespace retrial::pruning_network_torch_tests
