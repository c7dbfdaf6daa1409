// Methods that draw what stays, and the division of a budget among filters: sections 3.2, 4.3 and 4.4 of the
// specification of pruning, closed forms and the conditions of Karush, Kuhn and Tucker.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/catch.hpp"
#include "tests/workloads/pruning/methods/scoring_view.hpp"
#include "workloads/pruning/allocation/budget.hpp"
#include "workloads/pruning/allocation/draws.hpp"
#include "workloads/pruning/methods/pfp.hpp"
#include "workloads/pruning/steps/sampled.hpp"

namespace retrial::pruning_sampled_tests {
using namespace retrial::pruning;

namespace {

std::vector<SampledRow> rows() {
  std::vector<SampledRow> made;
  variance::Stream stream(5);
  for (int f = 0; f < 40; ++f)
    made.push_back({.weight = f < 20 ? 1.0 / 20 : 1.0 / 7,
                    .alpha = 300 * variance::uniform(stream.next()),
                    .max = static_cast<double>(1 + variance::bounded(stream.next(), 60))});
  made[3].alpha = 0;
  return made;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double objective(const std::vector<SampledRow>& all, const std::vector<double>& x) {
  double found = 0;
  for (std::size_t f = 0; f < all.size(); ++f) found += all[f].weight * sampling_bound(all[f].alpha, x[f]);
  return found;
}

}  // namespace

TEST_CASE("probabilities of the norms are those of the reference values") {
  const test::Toy toy({4, 1}, {{1, -2, 3, -4}});
  const auto p = l12_shares(toy.sight())[0];
  const std::vector<double> wanted{.0666667, .1666667, .3, .4666667};
  for (std::size_t j = 0; j < 4; ++j) CHECK_THAT(p[j], WithinAbs(wanted[j], 5e-8));
  CHECK_THAT(l1_shares(toy.sight())[0][3], WithinRel(.4, 1e-12));
  CHECK_THAT(l2_shares(toy.sight())[0][3], WithinRel(16.0 / 30, 1e-12));
}

TEST_CASE("a draw picks the smallest place whose sum exceeds it, and never one without a share") {
  const std::vector<double> weights{0, 1, 0, 3, 0};
  const Sampler sampler(weights);
  CHECK(sampler.pick(0) == 1);
  CHECK(sampler.pick(.2499999) == 1);
  CHECK(sampler.pick(.25) == 3);
  CHECK(sampler.pick(.9999999) == 3);
  CHECK(sampler.pick(1) == 3);  // where rounding leaves none
}

TEST_CASE("draws of a layer are words of its own stream") {
  variance::Stream draws = draws_of(9, "fc1", 2),
                   by_hand(variance::derive(variance::derive(variance::derive(9, "fc1"), std::uint64_t{2}), "draws"),
                           0);
  for (int i = 0; i < 5; ++i) CHECK(draws.next() == by_hand.next());
  CHECK(draws_of(9, "fc1", 2).next() != draws_of(9, "fc1", 3).next());
  CHECK(draws_of(9, "fc1", 2).next() != draws_of(9, "fc2", 2).next());
}

TEST_CASE("counts of draws add up, and as many distinct ones come as were wanted") {
  variance::Stream draws(1);
  std::vector<double> weights(50, 1);
  weights[7] = 1e-30;  // too rare to come by itself
  const Sampler sampler(weights);
  const auto counts = sampler.counts(400, draws);
  CHECK(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) == 400);
  for (const std::int64_t wanted : {1, 20, 50, 60}) {
    const auto picked = sampler.distinct(wanted, draws);
    CHECK(std::count(picked.begin(), picked.end(), 1) == std::min<std::int64_t>(wanted, 50));
  }
}

TEST_CASE("methods of the norms keep exactly the share of every layer, and draw by their seed") {
  const test::Toy toy({8, 12, 5});
  pruning::Sight sight = toy.sight();
  std::vector<std::vector<float>> values = toy.values;
  variance::Stream stream(3);
  for (auto& layer : values)
    for (float& w : layer) w = static_cast<float>(variance::uniform(stream.next()) - .5);
  sight.weights = {values[0], values[1]};
  sight.prune = 4;
  const auto masks = [&](std::uint64_t seed) {
    sight.prune = seed;
    return sample_share(sight, l1_shares(sight), .5, {true, true}).masks;
  };
  CHECK(masks(4).layers[0].live() == 48);
  CHECK(masks(4).layers[1].live() == 30);
  CHECK(masks(4) == masks(4));
  CHECK_FALSE(masks(4) == masks(5));
}

TEST_CASE("a budget is divided so that no weight more in one filter is worth more than in another") {
  const auto all = rows();
  for (const double budget : {30.0, 200.0, 700.0}) {
    const Split split = split_budget(all, budget);
    CHECK(sum(split.x) <= budget);
    CHECK_THAT(sum(split.x), WithinRel(budget, 1e-9));
    CHECK(kkt_residual(all, split) < 1e-9);
    CHECK(split.gap < 1e-9);
    CHECK(split.x[3] == 0);  // contributes nothing
    for (std::size_t f = 0; f < all.size(); ++f) CHECK(split.x[f] <= all[f].max);
  }
}

TEST_CASE("any other division of the budget has a larger bound") {
  const auto all = rows();
  const Split split = split_budget(all, 200);
  for (const double moved : {.01, .5}) {
    for (std::size_t f = 4; f + 1 < all.size(); ++f) {
      std::vector<double> other = split.x;
      other[f] += moved;
      other[f + 1] -= moved;
      if (other[f] > all[f].max || other[f + 1] <= 0) continue;
      CHECK(objective(all, other) > objective(all, split.x));
    }
  }
}

TEST_CASE("equal rows get equal parts, and a budget for all gives all") {
  const std::vector<SampledRow> same(5, {.weight = .2, .alpha = 90, .max = 100});
  for (const double x : split_budget(same, 50).x) CHECK_THAT(x, WithinRel(10.0, 1e-9));
  CHECK(split_budget(same, 600).x == std::vector<double>(5, 100));
  CHECK(split_budget(same, 600).multiplier == 0);
}

TEST_CASE("the bound of a row is its closed form") {
  // t = 9 / 3 / 1 = 3: (3 + sqrt(9 + 18)) / 2.
  CHECK_THAT(sampling_bound(9, 1), WithinRel((3 + std::sqrt(27.0)) / 2, 1e-14));
  CHECK(sampling_bound(0, 0) == 0);
  CHECK(std::isinf(sampling_bound(1, 0)));
}

TEST_CASE("drawn weights are scaled so that a filter computes on the mean what it did") {
  const std::vector<float> weights{.5F, 1, 2, .25F, -1, -2};
  const test::Toy toy({6, 1}, {weights});
  const WeightScores scores{{.1, .3, .6, .05, .5, .5}};
  std::vector<double> mean(6);
  constexpr int seeds = 4000;
  for (int seed = 0; seed < seeds; ++seed) {
    pruning::Sight sight = toy.sight();
    sight.prune = static_cast<std::uint64_t>(seed);
    const Allocation made = sample_rows(sight, scores, .5, {true}, false);
    CHECK(made.masks.layers[0].live() <= 5);  // 3 and the rounding up of both signs
    for (std::size_t e = 0; e < 6; ++e)
      mean[e] += made.masks.layers[0].bits[e] != 0 ? double{made.factors[0][e]} / seeds : 0;
  }
  for (const double factor : mean) CHECK_THAT(factor, WithinAbs(1, .12));  // unbiased: 3 deviations of the rarest
}

TEST_CASE("the hybrid keeps the best of a filter, unscaled, where what goes is less than the bound of drawing") {
  const test::Toy toy({6, 1}, {{1, 2, 3, 4, 5, 6}});
  const WeightScores scores{{1e-9, 1e-9, 1e-9, 1e-9, .5, .5}};
  const Allocation made = sample_rows(toy.sight(), scores, .5, {true}, true);
  CHECK(made.masks.layers[0].live() == 3);
  CHECK(made.masks.layers[0].bits[4] == 1);
  CHECK(made.masks.layers[0].bits[5] == 1);
  for (const float factor : made.factors[0]) CHECK(factor == 1);
}

TEST_CASE("channels that are drawn come as often as the bound says, the largest shares without drawing") {
  const std::vector<double> q{.5, .3, .2, 0, 0};
  variance::Stream draws(2);
  // A great number of draws takes every channel that contributes.
  CHECK(drawn_channels(q, 3, 1e9, false, draws) == std::vector<std::uint8_t>{1, 1, 1, 0, 0});
  const auto one = drawn_channels(q, 1, 1, false, draws);
  CHECK(std::count(one.begin(), one.end(), 1) == 1);
  // Expected distinct channels of (.5, .3, .2): 1 of one draw, 2.02 of three. Two channels want m = 3: shares of a
  // third and more are kept outright, and others drawn until there are two.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    variance::Stream from(seed);
    const auto kept = drawn_channels(q, 2, 3, true, from);
    CHECK(kept[0] == 1);
    CHECK(std::count(kept.begin(), kept.end(), 1) == 2);
    CHECK(kept[3] == 0);
  }
}

TEST_CASE("a share is kept outright when it is at least one in the smallest count of draws that reaches the number") {
  // Of .045 and 25 equal ones, 22 draws reach 15 distinct channels on the mean and 21 do not: 1/22 > .045 > 1/24.
  std::vector<double> q(26, (1 - .045) / 25);
  q[0] = .045;
  CHECK(expected_distinct(q, 22) >= 15);
  CHECK(expected_distinct(q, 21) < 15);
  int missing = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    variance::Stream from(seed);
    const auto kept = drawn_channels(q, 15, 22, true, from);
    CHECK(std::count(kept.begin(), kept.end(), 1) == 15);
    missing += kept[0] == 0 ? 1 : 0;
  }
  CHECK(missing > 0);
}

}  // namespace retrial::pruning_sampled_tests
