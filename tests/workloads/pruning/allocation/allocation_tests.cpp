// Which weights and channels go. Values without another origin are those of the specification of pruning 15.1 and 15.2,
// computed there in double precision.
#include <algorithm>
#include <limits>

#include "tests/catch.hpp"
#include "tests/workloads/pruning/methods/scoring_view.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"
#include "workloads/interface/trial/trial.hpp"
#include "workloads/pruning/allocation/lottery.hpp"
#include "workloads/pruning/allocation/quantile.hpp"
#include "workloads/pruning/methods/pfp.hpp"
#include "workloads/pruning/steps/grid.hpp"
#include "workloads/pruning/steps/step.hpp"

namespace retrial::pruning_allocation_tests {
using namespace pruning;
using test::network_named;

namespace {

const std::vector<float> five{.1F, -.2F, .3F, -.4F, .5F};

/// One layer of five weights and its magnitudes.
struct Five : test::Toy {
  Five() : test::Toy({5, 1}, {five}) {}
  [[nodiscard]] WeightScores scores() const { return magnitude(sight()); }
  std::vector<bool> all{true};
};

std::vector<std::uint8_t> bits(const Allocation& made, std::size_t layer = 0) {
  return made.masks.layers[layer].bits;
}

using Bits = std::vector<std::uint8_t>;

/// Scores drawn from a seed, with a number of levels that makes ties common or rare.
WeightScores drawn(const Network& network, std::uint64_t key, std::uint64_t levels) {
  WeightScores scores = weight_zeros(network);
  variance::Stream stream(key);
  for (auto& layer : scores)
    for (double& score : layer) score = static_cast<double>(variance::bounded(stream.next(), levels));
  return scores;
}

/// Hidden units of a two-layer network after ft, and its weights.
std::vector<std::int64_t> left_by_ft(double keep) {
  const Network network = network_named("mlp:128,64");
  ChannelScores by_group = channel_zeros(network);
  for (auto& group : by_group) std::fill(group.begin(), group.end(), 1.0);
  const Allocation made = keep_channels(network, by_group, all_live(network), keep);
  const Alive alive = alive_channels(network, made.masks);
  return {count_alive(alive, network.layers[0].out), count_alive(alive, network.layers[1].out), made.masks.live()};
}

}  // namespace

TEST_CASE("wt keeps the three greatest magnitudes of five") {
  const Five toy;
  CHECK(bits(keep_best(toy.scores(), toy.masks, 3, 0, toy.all)) == Bits{0, 0, 1, 1, 1});
}

TEST_CASE("the rule of OpenLTH prunes one weight more than requested, the exact rule does not") {
  const Five toy;
  const data::Rational fraction{4, 10};
  CHECK(bits(lottery_level(toy.scores(), toy.masks, fraction, LotteryRule::openlth, toy.all)) == Bits{0, 0, 0, 1, 1});
  CHECK(bits(lottery_level(toy.scores(), toy.masks, fraction, LotteryRule::exact, toy.all)) == Bits{0, 0, 1, 1, 1});
}

TEST_CASE("levels of 20 % leave the printed counts under both rules") {
  const auto levels = [](std::int64_t weights, LotteryRule rule) {
    const test::Toy toy({weights, 1});
    WeightScores scores = weight_zeros(toy.network);
    for (std::size_t e = 0; e < scores[0].size(); ++e) scores[0][e] = static_cast<double>(e);
    MaskSet masks = toy.masks;
    std::vector<std::int64_t> left;
    for (int level = 0; level < 5; ++level) {
      masks = lottery_level(scores, masks, {2, 10}, rule, {true}).masks;
      left.push_back(masks.live());
    }
    return left;
  };
  CHECK(levels(1000, LotteryRule::openlth) == std::vector<std::int64_t>{799, 638, 509, 406, 323});
  CHECK(levels(17024, LotteryRule::exact) == std::vector<std::int64_t>{13619, 10895, 8716, 6972, 5577});
}

TEST_CASE("a fraction is the decimal it was written as") {
  CHECK(level_count({2, 10}, 35) == 7);  // .2 * 35 is 7.000000000000001 in doubles
  CHECK(level_count({2, 10}, 36) == 8);
  CHECK(level_fraction("levels(.2, 5)")->denominator > 0);
  CHECK_FALSE(level_fraction("powers(14, .8, .75)"));
}

TEST_CASE("quantile thresholds are ShrinkBench's, ties survive") {
  const Five toy;
  const auto check = [&](double keep, double threshold, std::int64_t kept) {
    CHECK_THAT(linear_quantile({.1, .2, .3, .4, .5}, 1 - keep), WithinRel(threshold, 1e-12));
    CHECK(keep_above_quantile({{.1, .2, .3, .4, .5}}, toy.masks, keep, toy.all, false).masks.live() == kept);
  };
  check(.5, .3, 3);
  check(.4, .34, 2);
  check(.25, .4, 2);
  CHECK(keep_above_quantile({{1, 1, 1, 1, 1}}, toy.masks, .2, toy.all, false).masks.live() == 5);
}

TEST_CASE("the quantile of a later step is that of the initial weights: what is masked counts as 0") {
  Five toy;
  toy.masks.layers[0].bits[4] = 0;
  // Of 0, .1, .2, .3, .4 the quantile at .6 is .24; with the score of the masked weight it would be .34.
  CHECK(bits(keep_above_quantile({{.1, .2, .3, .4, .5}}, toy.masks, .4, toy.all, false)) == Bits{0, 0, 1, 1, 0});
}

TEST_CASE("a method that compares within layers has a quantile for each") {
  const test::Toy toy({4, 1, 4});
  const WeightScores scores{{1, 2, 3, 4}, {10, 20, 30, 40}};
  const std::vector<bool> all{true, true};
  const auto one = keep_above_quantile(scores, toy.masks, .5, all, false),
             each = keep_above_quantile(scores, toy.masks, .5, all, true);
  CHECK(one.masks.layers[0].live() == 0);
  CHECK(each.masks.layers[0].live() == 2);
  CHECK(each.masks.layers[1].live() == 2);
  const auto kept_of_first = [&](const char* method) {
    test::Toy grown({4, 1, 4}, {{1, 2, 3, 4}, {10, 20, 30, 40}});
    return prune_step(grown.sight(), .5, {.method = &find_method(method), .exact = false}).masks.layers[0].live();
  };
  CHECK(kept_of_first("mag_layer") == 2);
  CHECK(kept_of_first("wt") == 0);
}

TEST_CASE("wt keeps exactly the printed counts of the tier-0 grid") {
  const Network network = network_named("mlp:128,64");
  const WeightScores scores = drawn(network, 3, 1U << 30U);
  std::vector<std::int64_t> kept;
  MaskSet masks = all_live(network);
  const std::vector<bool> all(network.layers.size(), true);
  for (const double keep : grid(tier0_grid)) {
    masks = keep_best(scores, masks, budget_of(keep, network.weights()), 0, all).masks;
    kept.push_back(masks.live());
  }
  CHECK(std::vector<std::int64_t>(kept.begin(), kept.begin() + 5) ==
        std::vector<std::int64_t>{13619, 10214, 7661, 5746, 4309});
  CHECK(std::vector<std::int64_t>(kept.begin() + 10, kept.end()) == std::vector<std::int64_t>{767, 575, 431, 324});
}

TEST_CASE("of a thousand equal scores the first are kept, in the order of layers and places") {
  const test::Toy toy({20, 25, 20});
  const Allocation made = keep_best(WeightScores(2, std::vector<double>(500, 1)), toy.masks, 620, 0, {true, true});
  for (std::size_t e = 0; e < 500; ++e) {
    CHECK(bits(made, 0)[e] == 1);
    CHECK(bits(made, 1)[e] == (e < 120 ? 1 : 0));
  }
}

TEST_CASE("a cascade keeps exact counts, never revives a weight, and nests its masks, with ties or without") {
  const Network network = network_named("cnn4");
  const std::vector<bool> all(network.layers.size(), true);
  for (const std::uint64_t levels : {std::uint64_t{3}, std::uint64_t{1} << 40}) {
    MaskSet masks = all_live(network);
    std::uint64_t key = 1;
    for (const double keep : {.9, .5, .21, .2, .03, .001}) {
      const MaskSet before = masks;
      masks = keep_best(drawn(network, key++, levels), before, budget_of(keep, network.weights()), 0, all).masks;
      CHECK(masks.live() == budget_of(keep, network.weights()));
      CHECK(within(masks, before));
    }
  }
}

TEST_CASE("selection agrees with a complete sort") {
  const Network network = network_named("mlp:12,6");
  const WeightScores scores = drawn(network, 9, 7);
  std::vector<std::pair<double, std::size_t>> sorted;
  for (const auto& layer : scores)
    for (const double score : layer) sorted.emplace_back(-score, sorted.size());
  std::sort(sorted.begin(), sorted.end());
  const MaskSet masks = keep_best(scores, all_live(network), 100, 0, {true, true, true}).masks;
  std::vector<std::uint8_t> flat;
  for (const LayerMask& layer : masks.layers) flat.insert(flat.end(), layer.bits.begin(), layer.bits.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) CHECK(flat[sorted[i].second] == (i < 100 ? 1 : 0));
}

TEST_CASE("scores of every sign and size are in one order, and the two zeros are one score") {
  const double infinite = std::numeric_limits<double>::infinity(), tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<double> ascending{-infinite, -1e300, -1.5, -1, -tiny, 0, tiny, 1e-300, 1, 1.5, 1e300, infinite};
  const test::Toy toy({4, 3});
  for (std::int64_t kept = 0; kept <= 12; ++kept) {
    const MaskSet masks = keep_best({ascending}, toy.masks, kept, 0, {true}).masks;
    for (std::size_t e = 0; e < 12; ++e) CHECK(masks.layers[0].bits[e] == (static_cast<std::int64_t>(e) >= 12 - kept));
  }
  const std::vector<double> zeros{-0.0, 0.0, -0.0, 1, 0.0, -1, -1, -1, -1, -1, -1, -1};
  const MaskSet masks = keep_best({zeros}, toy.masks, 3, 0, {true}).masks;
  CHECK(masks.layers[0].bits == std::vector<std::uint8_t>{1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("the selection of many scores is that of a complete sort, however they are spread") {
  const Network network = network_named("mlp:128,64");
  for (const std::uint64_t levels : {std::uint64_t{2}, std::uint64_t{5000}, std::uint64_t{1} << 40}) {
    const WeightScores scores = drawn(network, levels, levels);
    std::vector<std::pair<double, std::size_t>> sorted;
    for (const auto& layer : scores)
      for (const double score : layer) sorted.emplace_back(-score, sorted.size());
    std::sort(sorted.begin(), sorted.end());
    for (const std::int64_t budget : {1, 3405, 17023}) {
      const MaskSet masks = keep_best(scores, all_live(network), budget, 0, {true, true, true}).masks;
      std::vector<std::uint8_t> flat, wanted(sorted.size(), 0);
      for (const LayerMask& layer : masks.layers) flat.insert(flat.end(), layer.bits.begin(), layer.bits.end());
      for (std::int64_t i = 0; i < budget; ++i) wanted[sorted[static_cast<std::size_t>(i)].second] = 1;
      CHECK(flat == wanted);
    }
  }
}

TEST_CASE("NaN scores are refused with the layer's name; those of masked weights are not asked") {
  Five toy;
  WeightScores scores = toy.scores();
  scores[0][1] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(keep_best(scores, toy.masks, 3, 0, toy.all), "layer fc1 has NaN scores");
  CHECK_THROWS_AS(keep_above_quantile(scores, toy.masks, .5, toy.all, false), workloads::TrialFailure);
  CHECK_THROWS_AS(lottery_level(scores, toy.masks, {1, 5}, LotteryRule::openlth, toy.all), workloads::TrialFailure);
  toy.masks.layers[0].bits[1] = 0;
  CHECK_NOTHROW(keep_best(scores, toy.masks, 3, 0, toy.all));
}

TEST_CASE("a layer that loses everything is named, and min_keep saves it at the cost of the lowest scores elsewhere") {
  const test::Toy toy({2, 2, 1}, {{.01F, .02F, .03F, .04F}, {5, 6}});
  const WeightScores scores = magnitude(toy.sight());
  const Allocation bare = keep_best(scores, toy.masks, 2, 0, {true, true});
  CHECK(collapsed(bare.masks) == std::vector<std::string>{"fc1"});
  const Allocation forced = keep_best(scores, toy.masks, 2, 1, {true, true});
  CHECK(collapsed(forced.masks).empty());
  CHECK(forced.moved == 1);
  CHECK(bits(forced, 0) == Bits{0, 0, 0, 1});
  CHECK(bits(forced, 1) == Bits{0, 1});
  CHECK_THAT(smallest_keep(toy.network, 1, true), WithinRel(2.0 / 6, 1e-12));
}

TEST_CASE("a share of every layer has the exact total, and every layer within one of its share") {
  const Network network = network_named("mlp:13,7");
  const Allocation made = keep_share(drawn(network, 4, 1U << 20U), all_live(network), .37, {true, true, true});
  CHECK(made.masks.live() == budget_of(.37, network.weights()));
  for (std::size_t l = 0; l < network.layers.size(); ++l)
    CHECK(std::abs(static_cast<double>(made.masks.layers[l].live()) -
                   .37 * static_cast<double>(network.layers[l].weights())) < 1);
}

TEST_CASE("ft keeps the printed hidden units and weights of mlp:128,64") {
  CHECK(left_by_ft(.6) == std::vector<std::int64_t>{89, 45, 10151});
  CHECK(left_by_ft(.45) == std::vector<std::int64_t>{73, 36, 7660});
  CHECK(left_by_ft(.3375) == std::vector<std::int64_t>{58, 29, 5684});
  CHECK(left_by_ft(.253125) == std::vector<std::int64_t>{46, 23, 4232});
  const std::vector<double> tier0 = grid(tier0_grid);
  CHECK(left_by_ft(tier0[8]) == std::vector<std::int64_t>{17, 9, 1331});
  CHECK(left_by_ft(tier0[10]) == std::vector<std::int64_t>{10, 5, 740});
}

TEST_CASE("ft keeps the filters of greatest norm, and the next layer loses the inputs of the others") {
  const test::Toy toy({2, 4, 1}, {{3, -3, 1, 0, 2, 1, -1, 1}, {1, 1, 1, 1}});
  const Sight sight = toy.sight();
  CHECK(filter_l1(sight)[1] == std::vector<double>{6, 1, 3, 2});
  const Allocation made = keep_channels(toy.network, filter_l1(sight), toy.masks, .5);
  CHECK(bits(made, 0) == Bits{1, 1, 0, 0, 1, 1, 0, 0});
  CHECK(bits(made, 1) == Bits{1, 0, 1, 0});
}

TEST_CASE("a channel ratio is not a parameter ratio") {
  const auto removed = [](double p) { return 1 - (1 - p) * (1 - p); };
  for (const auto& [p, expected] : {std::pair(.1, .19), std::pair(.3, .51), std::pair(.5, .75), std::pair(.7, .91)}) {
    const auto left = static_cast<std::int64_t>(std::llround(1000 * (1 - p)));
    Alive alive(4, Bits(1000, 0));
    for (Bits& group : alive) std::fill(group.begin(), group.begin() + left, std::uint8_t{1});
    const Network network = test::Toy::made({1000, 1000, 1000, 1000});
    CHECK_THAT(1 - static_cast<double>(size_of(network, alive)) / static_cast<double>(network.weights()),
               WithinAbs(expected, 1e-12));
    CHECK_THAT(removed(p), WithinAbs(expected, 1e-12));
  }
}

TEST_CASE("whole channels go, in cascades that nest, in every family") {
  for (const std::string model : {"mlp:20,10", "cnn4", "resnet8a", "resnet8b", "wrn-10-1"}) {
    CAPTURE(model);
    const Network network = network_named(model, {3, 16, 16});
    MaskSet masks = all_live(network);
    std::uint64_t key = 1;
    for (const double keep : {1.0, .8, .4, .2, .02}) {
      ChannelScores scores = channel_zeros(network);
      variance::Stream stream(key++);
      for (auto& group : scores)
        for (double& score : group) score = variance::uniform(stream.next());
      const MaskSet before = masks;
      masks = keep_channels(network, scores, before, keep).masks;
      CHECK(within(masks, before));
      CHECK(collapsed(masks).empty());
      const Alive alive = alive_channels(network, masks);
      CHECK(without_channels(network, masks, alive) == masks);
      CHECK(size_of(network, alive) == masks.live());
      if (keep >= .2) CHECK(static_cast<double>(masks.live()) <= keep * static_cast<double>(network.weights()));
    }
  }
}

TEST_CASE("the sample complexity of pfp") {
  const double first = pfp_sensitivity(64, 9, 2.5);
  for (const auto& [epsilon, draws] : {std::pair(1.0, 16306.0), std::pair(10.0, 530.0), std::pair(50.0, 87.0),
                                       std::pair(100.0, 42.0), std::pair(1000.0, 5.0)})
    CHECK(pfp_draws(first, epsilon) == draws);
  CHECK_THAT(pfp_sensitivity(1, 1, 1), WithinRel(237.68370126086705, 1e-10));
  CHECK(pfp_draws(pfp_sensitivity(1, 1, 1), 1) == 5705);
  CHECK(pfp_draws(pfp_sensitivity(1, 1, 1), 10) == 186);
  CHECK(pfp_draws(pfp_sensitivity(1, 1, 1), 100) == 15);
  CHECK_THAT(pfp_sensitivity(1024, 9, 4), WithinRel(1153.211411963839, 1e-10));
  CHECK(pfp_draws(pfp_sensitivity(1024, 9, 4), 10) == 900);
  CHECK(pfp_draws(pfp_sensitivity(1024, 9, 4), 1000) == 7);
}

TEST_CASE("expected distinct draws") {
  CHECK_THAT(expected_distinct({.5, .3, .2}, 3), WithinRel(2.02, 1e-10));
  CHECK_THAT(expected_distinct({.25, .25, .25, .25}, 4), WithinRel(2.734375, 1e-10));
  CHECK_THAT(expected_distinct({.7, .1, .1, .1}, 10), WithinRel(2.9539587748, 1e-10));
}

TEST_CASE("pfp spends its budget, keeps the best channels, and one of a group that contributes nothing") {
  const Network network = network_named("mlp:20,10");
  ChannelScores scores = channel_zeros(network);
  for (std::size_t g = 0; g < scores.size(); ++g)
    for (std::size_t c = 0; c < scores[g].size(); ++c) scores[g][c] = 1 / static_cast<double>(c + 1);
  const Allocation made = keep_by_bound(network, scores, all_live(network), .5);
  CHECK(made.warnings.empty());
  CHECK(static_cast<double>(made.masks.live()) <= .5 * static_cast<double>(network.weights()));
  CHECK(static_cast<double>(made.masks.live()) > .4 * static_cast<double>(network.weights()));
  const Alive alive = alive_channels(network, made.masks);
  CHECK(std::is_sorted(alive[1].rbegin(), alive[1].rend()));  // the first ones are the best
  scores[2].assign(scores[2].size(), 0);
  const Allocation silent = keep_by_bound(network, scores, all_live(network), .5);
  CHECK(silent.warnings.size() == 1);
  CHECK(count_alive(alive_channels(network, silent.masks), network.layers[1].out) == 1);
}

TEST_CASE("masks come back from their text, and a flipped bit is refused with trial and step") {
  const Network network = network_named("mlp:5,3");
  const MaskSet masks = keep_best(drawn(network, 2, 1U << 20U), all_live(network), 77, 0, {true, true, true}).masks;
  const std::string text = mask_text(masks);
  CHECK(masks_from(text, masks.digest(), "wt/3", 2) == masks);
  std::string flipped = text;
  flipped[flipped.size() - 4] = flipped[flipped.size() - 4] == '0' ? '1' : '0';
  CHECK_THROWS_WITH(masks_from(flipped, masks.digest(), "wt/3", 2), has_text("trial wt/3") && has_text("step 2"));
  CHECK_THROWS_AS(masks_from("fc1 320", masks.digest(), "wt/3", 2), Error);
}

TEST_CASE("bits are packed eight to a byte, the first in the lowest") {
  CHECK(packed({"x", {1, 0, 0, 0, 0, 0, 0, 1, 1}}) == std::string("\x81\x01", 2));
  CHECK(unpacked("x", 9, std::string("\x81\x01", 2)).bits == Bits{1, 0, 0, 0, 0, 0, 0, 1, 1});
  CHECK_THROWS_AS(unpacked("x", 17, "ab"), workloads::TrialFailure);
}

TEST_CASE("equal scores are said to tell nothing") {
  const test::Toy toy({4, 3});
  const Allocation made = prune_step(toy.sight(), .5, {.method = &find_method("wt")});
  CHECK(made.warnings == std::vector<std::string>{"no information in scores: all are equal"});
  CHECK(made.masks.live() == 6);
  const test::Toy channels({4, 3, 2});
  CHECK(prune_step(channels.sight(), .5, {.method = &find_method("ft")}).warnings == made.warnings);
  test::Toy different({4, 3, 2});
  different.values[0][0] = 2;
  CHECK(prune_step(different.sight(), .5, {.method = &find_method("ft")}).warnings.empty());
}

TEST_CASE("with prune_classifier = false the last layer keeps everything") {
  const test::Toy toy({4, 3, 2}, {std::vector<float>(12, 2), std::vector<float>(6, 1)});
  const Allocation made = prune_step(toy.sight(), .5, {.method = &find_method("wt"), .prune_classifier = false});
  CHECK(made.masks.layers[0].live() == 6);
  CHECK(made.masks.layers[1].live() == 6);
}

}  // namespace retrial::pruning_allocation_tests
