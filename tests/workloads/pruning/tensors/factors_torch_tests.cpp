// Factors in the place of weights, compared with NumPy and with their products.
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <cmath>

#include "tests/workloads/pruning/tensors/network_torch.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"
#include "workloads/pruning/network/size.hpp"
#include "workloads/pruning/steps/step.hpp"
#include "workloads/pruning/tensors/apply_torch.hpp"
#include "workloads/pruning/tensors/factors_torch.hpp"
#include "workloads/pruning/tensors/pruned_torch.hpp"
#include "workloads/pruning/tensors/sight_torch.hpp"

namespace retrial::pruning_factors_torch_tests {
using namespace pruning;
using namespace pruning::fixture;

namespace {

/// Two linear layers of 6, 4 and 10 features whose first weight is ((7i + 3j) mod 11 - 5) / 4.
struct TwoLayers {
  Blueprint blueprint = blueprint_of("mlp:4", {1, 2, 3});
  std::unique_ptr<nn::Model> model = nn::make(blueprint.architecture, blueprint.input, 10, 3);

  TwoLayers() {
    float* w = model->parameters()[0].second.data_ptr<float>();
    for (int e = 0; e < 24; ++e) w[e] = static_cast<float>((7 * (e / 6) + 3 * (e % 6)) % 11 - 5) / 4;
  }
};

}  // namespace

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
  // Only the first layer: its outputs after the ReLU would hide the mean.
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

}  // namespace retrial::pruning_factors_torch_tests
