// Methods that score the members of a group, and magnitudes that look at one batch: sections 3 and 4.8 of the
// specification of pruning; expected values are closed forms.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/workloads/pruning/methods/scoring_view.hpp"
#include "workloads/pruning/methods/group_scores.hpp"

namespace retrial::pruning_groups_tests {
using namespace retrial::pruning;
using Scores = std::vector<double>;

namespace {

/// Two inputs, three hidden channels, one class.
struct Three {
  test::Toy toy{{2, 3, 1}, {{3, 4, 1, 0, 0, 2}, {1, -2, 2}}};

  [[nodiscard]] Scores of(ChannelScores (*method)(const Sight&), Reduce reduce, Scaling scaling) const {
    Sight sight = toy.sight();
    sight.reduce = reduce;
    sight.scaling = scaling;
    return method(sight)[1];
  }
};

}  // namespace

TEST_CASE("members of a group are the rows that write a channel and the columns that read it") {
  const Three three;
  CHECK(three.of(group_l1, Reduce::sum, Scaling::none) == Scores{8, 3, 4});  // 7 + 1, 1 + 2, 2 + 2
  CHECK(three.of(group_l2, Reduce::sum, Scaling::none) == Scores{6, 3, 4});  // 5 + 1, 1 + 2, 2 + 2
  CHECK(three.of(group_l1, Reduce::mean, Scaling::none) == Scores{4, 1.5, 2});
  CHECK(three.of(group_l1, Reduce::max, Scaling::none) == Scores{7, 2, 2});
  CHECK(three.of(group_l1, Reduce::prod, Scaling::none) == Scores{7, 2, 4});
  CHECK(three.of(group_l1, Reduce::first, Scaling::none) == Scores{7, 1, 2});
}

TEST_CASE("scores of a group are brought to one scale") {
  const Three three;
  CHECK(three.of(group_l1, Reduce::sum, Scaling::sum) == Scores{8.0 / 15, 3.0 / 15, 4.0 / 15});
  CHECK(three.of(group_l1, Reduce::sum, Scaling::mean) == Scores{1.6, .6, .8});
  CHECK(three.of(group_l1, Reduce::sum, Scaling::max) == Scores{1, .375, .5});
  const Scores standard = three.of(group_l1, Reduce::sum, Scaling::standardise);
  CHECK_THAT(standard[0] + standard[1] + standard[2], WithinAbs(0, 1e-12));
  CHECK_THAT(standard[0] * standard[0] + standard[1] * standard[1] + standard[2] * standard[2], WithinRel(2.0, 1e-12));
}

TEST_CASE("a group of zeros scores 0 on every scale") {
  const test::Toy toy({2, 2, 1}, {{0, 0, 0, 0}, {0, 0}});
  for (const Scaling scaling : {Scaling::none, Scaling::sum, Scaling::mean, Scaling::max, Scaling::standardise}) {
    Sight sight = toy.sight();
    sight.scaling = scaling;
    CHECK(group_l1(sight)[1] == Scores{0, 0});
  }
}

TEST_CASE("names of the keys are those of the enumerations, in their order") {
  for (const std::string& name : reduce_names())
    CHECK(reduce_names()[static_cast<std::size_t>(reduce_from(name))] == name);
  for (const std::string& name : scaling_names())
    CHECK(scaling_names()[static_cast<std::size_t>(scaling_from(name))] == name);
  CHECK(reduce_from("first") == Reduce::first);
  CHECK(scaling_from("standardise") == Scaling::standardise);
}

TEST_CASE("fpgm adds up distances to the other filters, and the one in the middle goes first") {
  const test::Toy toy({2, 3, 1}, {{0, 0, 3, 4, 6, 8}, {1, 1, 1}});
  Sight sight = toy.sight();
  sight.scaling = Scaling::none;
  CHECK(fpgm(sight)[1] == Scores{15, 10, 15});
}

TEST_CASE("bn_scale is the magnitude of the scale of a channel's batch norm") {
  test::Toy toy({2, 3, 1});
  toy.network.norms.push_back({.name = "bn", .channels = {.group = 1, .offset = 0, .count = 3}});
  const std::vector<float> scales{.5F, -2, 1};
  Sight sight = toy.sight();
  sight.norm_scales = {scales};
  sight.scaling = Scaling::none;
  CHECK(bn_scale(sight)[1] == Scores{.5, 2, 1});
}

TEST_CASE("group_taylor multiplies weights and mean gradients before it adds them up") {
  const Three three;
  Sight sight = three.toy.sight();
  sight.scaling = Scaling::none;
  sight.reduce = Reduce::sum;
  sight.mean_gradients = [](std::int64_t) { return std::vector<std::vector<double>>{{1, -1, 2, 0, 0, .5}, {1, 1, 0}}; };
  CHECK(group_taylor(sight)[1] == Scores{8, 4, 1});  // 3 + 4 + 1, 2 + 2, 1 + 0
}

TEST_CASE("groups keep multiples of a number, and at least what the largest ratio leaves") {
  CHECK(kept_of_group(5, 16, {}) == 5);
  CHECK(kept_of_group(0, 16, {}) == 1);
  CHECK(kept_of_group(5, 16, {.round_to = 4, .max_group_ratio = 1}) == 8);
  CHECK(kept_of_group(15, 18, {.round_to = 8, .max_group_ratio = 1}) == 16);
  CHECK(kept_of_group(17, 18, {.round_to = 8, .max_group_ratio = 1}) == 18);  // no more than there are
  CHECK(kept_of_group(1, 20, {.round_to = 1, .max_group_ratio = .7}) == 6);   // .3 of 20, not 7 by rounding
}

TEST_CASE("pooled, groups that matter more keep more; group by group all lose the same share") {
  const test::Toy toy({4, 8, 8, 4});
  ChannelScores scores{{}, Scores(8, 10), Scores(8, 1), {}};
  scores[0].resize(4);
  scores[3].resize(4);
  for (std::size_t c = 0; c < 8; ++c) {
    scores[1][c] += static_cast<double>(c) / 100;
    scores[2][c] += static_cast<double>(c) / 100;
  }
  const auto alive = [&](bool pooled, const GroupRule& rule) {
    const MaskSet masks = keep_groups(toy.network, scores, toy.masks, .4, pooled, rule).masks;
    CHECK(masks.live() <= std::lround(.4 * 128));
    const Alive found = alive_channels(toy.network, masks);
    return std::pair(std::count(found[1].begin(), found[1].end(), 1), std::count(found[2].begin(), found[2].end(), 1));
  };
  CHECK(alive(false, {}) == std::pair<std::ptrdiff_t, std::ptrdiff_t>(4, 4));  // 4*4 + 4*4 + 4*4 = 48
  CHECK(alive(true, {}) == std::pair<std::ptrdiff_t, std::ptrdiff_t>(8, 1));   // 32 + 8 + 4 = 44
  CHECK(alive(false, {.round_to = 2, .max_group_ratio = 1}) == std::pair<std::ptrdiff_t, std::ptrdiff_t>(4, 4));
}

TEST_CASE("magnitude times gradient looks at one batch, the magnitude of activations at what is read") {
  const test::Toy toy({2, 1}, {{3, -4}});
  Sight sight = toy.sight();
  sight.batch = 2;
  sight.mean_gradients = [](std::int64_t samples) {
    return std::vector<std::vector<double>>{{static_cast<double>(samples), .5}};
  };
  CHECK(magnitude_gradient(sight)[0] == Scores{6, 2});
  sight.each_input = [](const Sight::VisitInput& visit) {
    visit(0, 0, {.values = {1, -2}, .area = 1});
    visit(1, 0, {.values = {3, -4}, .area = 1});
    visit(2, 0, {.values = {100, 100}, .area = 1});  // after the batch
  };
  CHECK(magnitude_activation(sight)[0] == Scores{6, 12});  // 3 * 2, 4 * 3
}

TEST_CASE("the activation of a map is the l1 norm of its mean over the batch, divided by its area") {
  test::Toy toy({1, 1}, {{2, 2, 2, 2}});
  toy.network.layers[0].taps = 4;
  Sight sight = toy.sight();
  sight.batch = 2;
  sight.each_input = [](const Sight::VisitInput& visit) {
    visit(0, 0, {.values = {1, 2, -3, 0}, .area = 4});
    visit(1, 0, {.values = {-1, 2, -1, 2}, .area = 4});
  };
  // Mean map (0, 2, -2, 1): 5 / 4; times the magnitude 2, at every tap.
  CHECK(magnitude_activation(sight)[0] == Scores(4, 2.5));
}

}  // namespace retrial::pruning_groups_tests
