// Distances under noise, informative pixels and latencies of networks.
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <cmath>

#include "tests/workloads/pruning/tensors/network_torch.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"
#include "workloads/pruning/observations/backselect_torch.hpp"
#include "workloads/pruning/observations/distance_torch.hpp"
#include "workloads/pruning/observations/latency_torch.hpp"
#include "workloads/pruning/tensors/pruned_torch.hpp"

namespace retrial::pruning_observe_torch_tests {
using namespace pruning;
using namespace pruning::fixture;

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

}  // namespace retrial::pruning_observe_torch_tests
