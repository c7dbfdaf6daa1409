#include "variance/effects/effect_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::effect_sizes_tests {

// NumPy 2.4.6 and SciPy 1.17.1 (nct for intervals of standardized differences), written from the formulas in the
// header.

using namespace retrial::variance;
using Scores = std::vector<double>;

namespace {
const Scores first{81.2, 83.1, 80.4, 86.0, 84.7, 82.2, 79.9, 85.3, 83.8, 82.6},
    second{80.3, 82.9, 79.1, 81.7, 83.2, 80.8}, paired{80.3, 82.9, 79.1, 81.7, 83.2, 80.8, 80.1, 82.7, 81.9, 81.4};

const EffectSize& size_named(const std::vector<EffectSize>& sizes, std::string_view name) {
  const auto found = std::ranges::find(sizes, name, &EffectSize::name);
  REQUIRE(found != sizes.end());
  return *found;
}

bool has_size(const std::vector<EffectSize>& sizes, std::string_view name) {
  return std::ranges::find(sizes, name, &EffectSize::name) != sizes.end();
}

void check_size(const EffectSize& size, double point, double low, double high) {
  CAPTURE(std::string(size.name));
  CHECK_THAT(size.estimate.point, WithinAbs(point, 1e-9));
  CHECK_THAT(*size.estimate.low, WithinAbs(low, 1e-9));
  CHECK_THAT(*size.estimate.high, WithinAbs(high, 1e-9));
}

Scores shifted(std::uint64_t key, std::size_t n, double shift) {
  Stream stream(derive(key, "effects"), 0);
  Scores out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(normal(stream.next()) + shift);
  return out;
}
}  // namespace

TEST_CASE("effect sizes of pairs and their intervals are those of the formulas") {
  const auto sizes = paired_effects(first, paired, {});
  check_size(size_named(sizes, "cohen_dz"), 1.19838753727, .354852093403, 2.00557965661);
  check_size(size_named(sizes, "hedges_g_av"), .806137373944, .257562973824, 1.45571371904);
  check_size(size_named(sizes, "rank_biserial"), .945454545455, .449893677011, .99586480881);
  const auto& share = size_named(sizes, "win_share");
  CHECK(share.estimate.point == .9);  // 9 of 10 won; Clopper and Pearson of 9 in 10
  CHECK_THAT(*share.estimate.low, WithinAbs(.5549838830, 1e-9));
  CHECK(share.label.empty());
  CHECK(size_named(sizes, "hedges_g_av").label == "large");
  CHECK(size_named(sizes, "hedges_g_av").convention == "Cohen 1988");
}

TEST_CASE("effect sizes of groups and their intervals are those of the formulas") {
  const auto sizes = unpaired_effects(first, second, {});
  check_size(size_named(sizes, "hedges_g"), .789013180318, -.236305619398, 1.87859903623);
  check_size(size_named(sizes, "glass_delta"), 1.00699309219, -.320553819366, 2.2600698093);
  const auto &a12 = size_named(sizes, "a12").estimate, &delta = size_named(sizes, "cliff_delta").estimate;
  CHECK_THAT(delta.point, WithinAbs(2 * a12.point - 1, 1e-15));
  CHECK_THAT(*delta.low, WithinAbs(2 * *a12.low - 1, 1e-15));
  CHECK(size_named(sizes, "a12").convention == "Vargha and Delaney 2000");
}

TEST_CASE("a page shows one standardized and one ordinal size, Glass's delta where the spreads differ") {
  const auto leaders = [](const std::vector<EffectSize>& sizes) {
    std::string out;
    for (const auto& size : sizes)
      if (size.leads) out += std::string(size.name) + " ";
    return out;
  };
  CHECK(leaders(paired_effects(first, paired, {})) == "hedges_g_av win_share ");
  CHECK(leaders(unpaired_effects(first, second, {})) == "hedges_g a12 ");
  Scores wide = shifted(1, 20, 0.0);
  for (double& x : wide) x *= 8.0;
  CHECK(leaders(unpaired_effects(wide, shifted(2, 20, 0.0), {})) == "glass_delta a12 ");
}

TEST_CASE("a metric where lower is better turns the ordinal sizes and leaves the signs of differences") {
  for (const bool pairs : {true, false}) {
    const auto sizes = [&](Direction direction) {
      return pairs ? paired_effects(first, paired, {.direction = direction})
                   : unpaired_effects(first, second, {.direction = direction});
    };
    const auto higher = sizes(Direction::higher), lower = sizes(Direction::lower);
    REQUIRE(higher.size() == lower.size());
    for (std::size_t i = 0; i < higher.size(); ++i) {
      CAPTURE(std::string(higher[i].name));
      const double h = higher[i].estimate.point, l = lower[i].estimate.point;
      if (higher[i].kind == EffectKind::standardized) CHECK(h == l);
      const bool share = higher[i].name == "a12" || higher[i].name == "win_share";
      if (higher[i].kind == EffectKind::ordinal) CHECK_THAT(l, WithinAbs(share ? 1.0 - h : -h, 1e-12));
    }
  }
}

TEST_CASE("the interval of the rank-biserial correlation covers it, from five pairs on") {
  // Normal differences of mean .5 and variance 2: P(d + d' > 0) = Phi(.5), P(d > 0) = Phi(.5 / sqrt 2); the mean of the
  // estimate is ((n - 1) (2 Phi(.5) - 1) + 2 (2 Phi(.5 / sqrt 2) - 1)) / (n + 1). 400 samples: at least .90 of them.
  for (const std::size_t n : {std::size_t{5}, std::size_t{10}, std::size_t{30}}) {
    const double truth =
        (static_cast<double>(n - 1) * .3829249225480262 + 2.0 * .27632639016823696) / static_cast<double>(n + 1);
    int covered = 0;
    for (std::uint64_t s = 0; s < 400; ++s) {
      const auto sizes = paired_effects(shifted(2 * s, n, .5), shifted(2 * s + 1, n, 0.0), {});
      const auto& e = size_named(sizes, "rank_biserial").estimate;
      covered += *e.low <= truth && truth <= *e.high ? 1 : 0;
    }
    CAPTURE(n, covered);
    CHECK(covered >= 360);
  }
}

TEST_CASE("every difference of one sign has the bound of disjoint pairs") {
  const Scores won{2, 4, 6, 9, 11}, lost{1, 2, 3, 4, 5};
  const auto sizes = paired_effects(won, lost, {});
  const auto& r = size_named(sizes, "rank_biserial").estimate;
  CHECK(r.point == 1.0);
  CHECK(*r.high == 1.0);
  CHECK_THAT(*r.low, WithinAbs(2 * std::sqrt(.025) - 1, 1e-12));  // two disjoint pairs of five
  CHECK(*size_named(paired_effects(lost, won, {}), "rank_biserial").estimate.low == -1.0);
}

TEST_CASE("sizes that do not exist are absent, never a number") {
  const Scores constant(6, .7), one{.5};
  CHECK_FALSE(has_size(paired_effects(constant, constant, {}), "hedges_g_av"));
  CHECK_FALSE(has_size(paired_effects(constant, constant, {}), "rank_biserial"));
  CHECK_FALSE(has_size(unpaired_effects(constant, constant, {}), "hedges_g"));
  CHECK_FALSE(has_size(unpaired_effects(first, constant, {}), "glass_delta"));
  CHECK(has_size(unpaired_effects(first, constant, {}), "hedges_g"));
  CHECK_FALSE(has_size(unpaired_effects(one, one, {}), "hedges_g"));
  CHECK(paired_effects({}, {}, {}).empty());
  // Equal differences of decimal scores: their last bits are no spread.
  Scores above = first;
  for (double& x : above) x += .1;
  const auto equal = paired_effects(above, first, {});
  const auto& g = size_named(equal, "hedges_g_av");
  CHECK_FALSE(g.estimate.low);
  CHECK_THAT(g.estimate.method, has_text("identical in every pair"));
  CHECK_FALSE(has_size(paired_effects(above, first, {}), "cohen_dz"));
  CHECK(refused_field([] { (void)paired_effects(first, second, {}); }) == "baseline");
  CHECK(refused_field([] { (void)unpaired_effects(first, second, {.direction = Direction::none}); }) == "direction");
  CHECK(refused_field([] { (void)unpaired_effects(first, second, {.alpha = .6}); }) == "alpha");
}

TEST_CASE("sizes come with the ratio of the spreads of the same pairing") {
  CHECK_THAT(effects_of(first, paired, Pairing::paired, {}).sd_ratio->method, has_text("pairs"));
  CHECK_THAT(effects_of(first, second, Pairing::unpaired, {}).sd_ratio->method, has_text("Bonett"));
}

TEST_CASE("Cohen's words begin at .2, .5 and .8 of either sign") {
  CHECK(cohen_label(.19) == "negligible");
  CHECK(cohen_label(-.2) == "small");
  CHECK(cohen_label(.5) == "medium");
  CHECK(cohen_label(-.8) == "large");
}

}  // namespace retrial::tests::effect_sizes_tests
