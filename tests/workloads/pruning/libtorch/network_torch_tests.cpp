// Masks on real networks: what scores see, what shrinking keeps, what training leaves at 0. Values without another
// origin are those of the specification of pruning 15.2, 15.3.
#include <ATen/TensorOperators.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>

#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "tests/workloads/pruning/methods/scoring_view.hpp"
#include "variance/random/rng.hpp"
#include "workloads/data/formats/digits.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"
#include "workloads/pruning/libtorch/apply_torch.hpp"
#include "workloads/pruning/libtorch/backselect_torch.hpp"
#include "workloads/pruning/libtorch/distance_torch.hpp"
#include "workloads/pruning/libtorch/factors_torch.hpp"
#include "workloads/pruning/libtorch/latency_torch.hpp"
#include "workloads/pruning/libtorch/pruned_torch.hpp"
#include "workloads/pruning/libtorch/shrink_torch.hpp"
#include "workloads/pruning/libtorch/sight_torch.hpp"
#include "workloads/pruning/methods/step.hpp"
#include "workloads/pruning/network/size.hpp"

namespace retrial::pruning_network_torch_tests {
using namespace pruning;

namespace {

constexpr data::Shape photo{3, 16, 16};

Blueprint blueprint_of(const std::string& name, const data::Shape& input = photo) {
  const nn::Architecture architecture = nn::parse_architecture(name, "model");
  return {architecture, input, network_of(architecture, input, 10)};
}

at::Tensor noise(at::IntArrayRef sizes, std::uint64_t key) {
  const at::Tensor tensor = at::empty(sizes, at::kFloat);
  variance::Stream stream(key);
  for (std::int64_t e = 0; e < tensor.numel(); ++e)
    tensor.data_ptr<float>()[e] = static_cast<float>(variance::normal(stream.next()));
  return tensor;
}

/// A network whose batch norms are no identity, as after training.
std::unique_ptr<nn::Model> lived_in(const Blueprint& blueprint, std::uint64_t seed = 5) {
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
MaskSet some_channels(const Network& network, double keep, std::uint64_t key = 11) {
  ChannelScores scores = channel_zeros(network);
  variance::Stream stream(key);
  for (auto& group : scores)
    for (double& score : group) score = variance::uniform(stream.next());
  return keep_channels(network, scores, all_live(network), keep).masks;
}

double apart(const nn::Model& a, const nn::Model& b, const at::Tensor& images) {
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

nn::Protocol short_protocol() {
  return {.epochs = 3,
          .batch = 32,
          .schedule = {.lr = .1, .gamma = 1, .milestones = ""},
          .sgd = {.momentum = .9, .weight_decay = 1e-2}};
}

}  // namespace

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

TEST_CASE("training again draws the orders of later epochs, and starts the schedule anew") {
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

/// Two linear layers of 6, 4 and 10 features whose first weight is ((7i + 3j) mod 11 - 5) / 4.
struct TwoLayers {
  Blueprint blueprint = blueprint_of("mlp:4", {1, 2, 3});
  std::unique_ptr<nn::Model> model = nn::make(blueprint.architecture, blueprint.input, 10, 3);

  TwoLayers() {
    float* w = model->parameters()[0].second.data_ptr<float>();
    for (int e = 0; e < 24; ++e) w[e] = static_cast<float>((7 * (e / 6) + 3 * (e % 6)) % 11 - 5) / 4;
  }
};

// The product of the first two singular vectors: numpy.linalg.svd of NumPy 1.24.2.
TEST_CASE("singular values are NumPy's, and factors of rank 2 multiply out to its best approximation of that rank") {
  const TwoLayers net;
  const auto weights = weights_of(*net.model, net.blueprint.network);
  const std::vector<double> whole_values = singular_values(weights[0], 1), halves = singular_values(weights[0], 2);
  const std::vector<double> wanted{2.5856433916993686, 2.3329337950616096, 1.5866001587129408, 0.9576367240205916};
  for (std::size_t i = 0; i < 4; ++i) CHECK_THAT(whole_values[i], WithinRel(wanted[i], 1e-12));
  REQUIRE(halves.size() == 6);
  CHECK_THAT(halves[0], WithinRel(2.080171930473227, 1e-12));
  CHECK_THAT(halves[4], WithinRel(1.618808088552193, 1e-12));

  const auto small = factorised(*net.model, net.blueprint.architecture, net.blueprint.network, {{1, 2}, {}}, {});
  CHECK(small->parameters()[0].first == "fc1.basis");
  CHECK(small->identity().parameters == net.model->identity().parameters - 24 + 2 * (4 + 6));
  CHECK(small->identity().macs == net.model->identity().macs - 24 + 2 * (4 + 6));
  const auto product = whole(*small, net.blueprint.architecture, net.blueprint.network);
  const float* w = product->parameters()[0].second.data_ptr<float>();
  const double best[4][6] = {{-.33828814829571974, -.8719205024443586, .42242353683146844, .5292925107134072,
                              -1.0013293119792783, .2930147272965483},
                             {.9396921138831478, .8994732266946894, -.8373262146259028, -.12548249330715466,
                              .9345294444778334, -.8022699968427585},
                             {-.8346667629159884, .012877466813179583, .564545127016183, -.6055822639685731,
                              .15471772534015385, .7063853855431574},
                             {.7058447801718692, -.7419916538818463, -.3160342348335199, 1.157862362248177,
                              -1.017719640256558, -.5917622212082322}};
  for (int e = 0; e < 24; ++e) CHECK_THAT(double{w[e]}, WithinAbs(best[e / 6][e % 6], 1e-6));
}

// Of (5i + 2j) mod 7 / 2 - 1, five samples of three outputs: numpy.linalg.eigh of NumPy 1.24.2.
TEST_CASE("principal components are NumPy's") {
  const std::vector<double> mean{.5, .1, .4};
  std::vector<double> scatter(9);
  for (int sample = 0; sample < 5; ++sample)
    for (int e = 0; e < 9; ++e) {
      const auto output = [&](int j) {
        return ((5 * sample + 2 * j) % 7 - 2) / 2.0 - mean[static_cast<std::size_t>(j)];
      };
      scatter[static_cast<std::size_t>(e)] += output(e / 3) * output(e % 3);
    }
  const Principal found = principal_of(scatter, mean, 5);
  CHECK_THAT(found.values[0], WithinRel(1.2851711243716324, 1e-12));
  CHECK_THAT(found.values[1], WithinRel(.9899494936611665, 1e-12));
  CHECK_THAT(found.values[2], WithinRel(.38514306573188445, 1e-12));
  CHECK_THAT(std::abs(found.components[0]), WithinRel(.8752577003917738, 1e-12));
  CHECK_THAT(std::abs(found.components[7]), WithinRel(.7071067811865475, 1e-12));
}

TEST_CASE("factors compute what their product computes, in every family, in groups, with and without their full rank") {
  for (const char* name : {"mlp:16,8", "cnn4", "resnet8a:w=4", "resnet8b:w=4", "wrn-10-1"}) {
    CAPTURE(name);
    const Blueprint blueprint = blueprint_of(name);
    const auto model = lived_in(blueprint);
    std::vector<Rank> ranks;
    for (const Layer& layer : blueprint.network.layers) {
      const std::vector<std::int64_t> groups = group_counts(layer);
      ranks.push_back(ranks.size() % 3 == 2
                          ? Rank{}
                          : Rank{groups[groups.size() / 2], 1 + static_cast<std::int64_t>(ranks.size() % 2)});
    }
    const auto small = factorised(*model, blueprint.architecture, blueprint.network, ranks, {});
    const auto product = whole(*small, blueprint.architecture, blueprint.network);
    const Size size = size_left(blueprint.network, {all_live(blueprint.network), ranks});
    CHECK(small->identity().macs == size.macs);
    CHECK(product->identity().parameters == model->identity().parameters);
    const at::Tensor images = noise({4, 3, 16, 16}, 9);
    const at::Tensor a = nn::logits_of(*small, images), b = nn::logits_of(*product, images);
    CHECK((a - b).abs().max().item().toDouble() <= 1e-5 * b.abs().max().item().toDouble());
    CHECK(determinism::hex(product->digest()) != determinism::hex(model->digest()));  // something was left out
  }
}

TEST_CASE("what the components of a layer miss of its mean goes into its bias: the mean output stays") {
  const Blueprint blueprint = blueprint_of("mlp:8", {1, 4, 4});
  const auto model = nn::make(blueprint.architecture, blueprint.input, 10, 3);
  const MaskSet masks = all_live(blueprint.network);
  const at::Tensor images = noise({40, 1, 4, 4}, 3) + 2, labels = at::empty({40}, at::kLong).zero_();
  const Sight sight = sight_of(*model, blueprint.network, masks, images, labels);
  const Allocation made = prune_step(sight, .5, {.method = &find_method("pca")});
  REQUIRE(made.principal.size() == 2);
  CHECK_FALSE(made.ranks[0].dense());
  // The first layer alone: its outputs behind the ReLU would hide the mean.
  const auto first = [&](const nn::Model& of) {
    at::Tensor seen;
    const nn::LayerWatch watch = [&](const nn::LayerView& view) {
      if (view.output.size(1) == 8 && !seen.defined()) seen = view.output.detach();
    };
    (void)of.forward(images, {.training = false, .dropout = {}, .watch = &watch});
    return seen.mean(0);
  };
  const auto small = factorised(*model, blueprint.architecture, blueprint.network, {made.ranks[0], {}}, made.principal);
  CHECK((first(*small) - first(*model)).abs().max().item().toDouble() < 1e-5);
  const auto without = factorised(*model, blueprint.architecture, blueprint.network, {made.ranks[0], {}}, {});
  CHECK((first(*without) - first(*model)).abs().max().item().toDouble() > 1e-3);
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

TEST_CASE("softmax and logit distances of logits") {
  const std::vector<float> a{2, 1, 0}, b{1, 2, 0}, c{0, 0, 3}, d{0, 1, 3};
  const LogitDistance first = logit_distance(a.data(), b.data(), 3), second = logit_distance(c.data(), d.data(), 3);
  CHECK_THAT(first.softmax_l2, WithinRel(.5946944590382671, 1e-10));
  CHECK_THAT((first.softmax_l2 + second.softmax_l2) / 2, WithinRel(.34496521085681564, 1e-10));
  CHECK_THAT(first.softmax_linf, WithinRel(.42051248472002417, 1e-10));
  CHECK_THAT(second.softmax_linf, WithinRel(.0689166986409654, 1e-10));
  CHECK_FALSE(first.match);
  CHECK(second.match);
  const std::vector<float> yes{1000, 0}, no{0, 1000};
  CHECK_THAT(logit_distance(yes.data(), no.data(), 2).softmax_l2, WithinRel(std::sqrt(2.0), 1e-12));
}

TEST_CASE("a network is at distance 0 from itself under any noise, and not from another") {
  const Digits digits;
  const Blueprint blueprint = blueprint_of("mlp:6", {1, 8, 8});
  const auto one = nn::make(blueprint.architecture, blueprint.input, 10, 3),
             other = nn::make(blueprint.architecture, blueprint.input, 10, 4);
  const NoiseOptions options{.levels = {0, .3}, .draws = 4, .images = 10, .seed = 8};
  const data::Normalisation none = data::no_normalisation(*digits.set);
  for (const Distance& at : functional_distance(*one, *one, digits.images(), digits.labels(), none, options)) {
    CHECK(at.match.mean == 1);
    CHECK(at.match.sd == 0);
    CHECK(at.softmax_l2.mean == 0);
    CHECK(at.logit_linf.mean == 0);
  }
  const auto apart = functional_distance(*one, *other, digits.images(), digits.labels(), none, options);
  CHECK(apart[0].softmax_l2.mean > 0);
  CHECK(apart[0].softmax_l2.mean != apart[1].softmax_l2.mean);
}

TEST_CASE("pixel noise is divided by the channel's deviation, normalised noise is not") {
  const Digits digits;
  const Blueprint blueprint = blueprint_of("mlp:6", {1, 8, 8});
  const auto one = nn::make(blueprint.architecture, blueprint.input, 10, 3),
             other = nn::make(blueprint.architecture, blueprint.input, 10, 4);
  const data::Normalisation half{.mean = {0}, .sd = {.5}};
  NoiseOptions pixels{.levels = {.1}, .draws = 3, .images = 5, .seed = 8}, normalised = pixels;
  normalised.pixel_units = false;
  normalised.levels = {.2};
  const auto a = functional_distance(*one, *other, digits.images(), digits.labels(), half, pixels),
             b = functional_distance(*one, *other, digits.images(), digits.labels(), half, normalised);
  CHECK(a[0].logit_l2.mean == b[0].logit_l2.mean);
}

TEST_CASE("uniform noise has the deviation of its level") {
  for (const auto& [level, sd] : {std::pair(.1, .0577350269), std::pair(.3, .1732050808), std::pair(.5, .2886751346)})
    CHECK_THAT(2 * level / std::sqrt(12.0), WithinAbs(sd, 5e-11));
}

TEST_CASE("a block goes with all of its pixels in every channel") {
  // Class 0 reads the last of three channels alone, each of four blocks with a weight of its own.
  const nn::Architecture architecture{.family = nn::Family::mlp, .name = "linear"};
  const at::Tensor weight = at::empty({2, 48}, at::kFloat).zero_(), bias = at::empty({2}, at::kFloat).zero_();
  const auto block_of = [](std::int64_t pixel) { return pixel / 8 * 2 + pixel % 4 / 2; };
  for (std::int64_t i = 0; i < 16; ++i)
    weight.data_ptr<float>()[32 + i] = .01F * static_cast<float>(block_of(i) * 3 % 4 + 1);
  const auto model = nn::assembled(architecture, {.name = "linear", .parameters = 98},
                                   {{"classifier.weight", weight}, {"classifier.bias", bias}}, {});
  const at::Tensor image = at::empty({1, 3, 4, 4}, at::kFloat).fill_(1);
  CHECK(removal_order(*model, image, 2) == std::vector<std::int64_t>{0, 3, 2, 1});
  const at::Tensor kept = informative_pixels(*model, image, {.share = .25, .block = 2});
  CHECK(kept.sum().item().toDouble() == 12);
  CHECK(kept.flatten()[34].item().toDouble() == 1);  // block 1: the third pixel of the first row, in the last channel
}

TEST_CASE("on a linear model pixels go in the order of what they contribute to the predicted class") {
  // Class 0 reads pixel i with weight i + 1, class 1 nothing: of equal pixels the least read goes first.
  const nn::Architecture architecture{.family = nn::Family::mlp, .name = "linear"};
  const at::Tensor weight = at::empty({2, 16}, at::kFloat).zero_(), bias = at::empty({2}, at::kFloat).zero_();
  for (std::int64_t i = 0; i < 16; ++i) weight.data_ptr<float>()[i] = .01F * static_cast<float>((i * 7) % 16 + 1);
  const auto model = nn::assembled(architecture, {.name = "linear", .parameters = 34},
                                   {{"classifier.weight", weight}, {"classifier.bias", bias}}, {});
  const at::Tensor image = at::empty({1, 1, 4, 4}, at::kFloat).fill_(1);
  const auto order = removal_order(*model, image, 1);
  REQUIRE(order.size() == 16);
  for (std::size_t i = 0; i < order.size(); ++i) CHECK((order[i] * 7) % 16 == static_cast<std::int64_t>(i));
  CHECK(backselect_passes(64) == 2080);
  const at::Tensor kept = informative_pixels(*model, image, {.share = .25, .block = 1});
  CHECK(kept.sum().item().toDouble() == 4);
  CHECK(kept.flatten()[order.back()].item().toDouble() == 1);
  CHECK(removal_order(*model, image, 2).size() == 4);
}

TEST_CASE("latencies are positive, and enter nothing but their own metrics") {
  const Blueprint blueprint = blueprint_of("mlp:6", {1, 8, 8});
  const auto model = nn::make(blueprint.architecture, blueprint.input, 10, 3);
  const Latencies found = interleaved_latencies(*model, *model, Digits().images(), 8);
  CHECK(found.dense_ms > 0);
  CHECK(found.pruned_ms > 0);
}

}  // namespace retrial::pruning_network_torch_tests
