#include "variance/spreads/spread.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::spread_tests {

// SciPy 1.17.1 and NumPy 2.4.6, unless a test says otherwise.

using namespace retrial::variance;
using Scores = std::vector<double>;

namespace {
const Scores first{81.2, 83.1, 80.4, 86.0, 84.7, 82.2, 79.9, 85.3, 83.8, 82.6},
    second{80.3, 82.9, 79.1, 81.7, 83.2, 80.8}, paired{80.3, 82.9, 79.1, 81.7, 83.2, 80.8, 80.1, 82.7, 81.9, 81.4};

Scores drawn(std::uint64_t key, std::size_t n, double spread, double (*law)(double)) {
  Stream stream(derive(key, "spread"), 0);
  Scores out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(spread * law(normal(stream.next())));
  return out;
}
Scores normals_of(std::uint64_t key, std::size_t n, double spread) {
  return drawn(key, n, spread, [](double z) { return z; });
}

TestSettings settings_of(Direction direction = Direction::higher) {
  return {.direction = direction};
}
}  // namespace

TEST_CASE("Brown-Forsythe is SciPy's levene with medians, and its sides are the t of the distances") {
  const auto test = brown_forsythe(first, second);  // levene(a, b, center="median")
  CHECK_THAT(*test.statistic, WithinAbs(.601773189766, 1e-11));
  CHECK_THAT(test.p_two, WithinAbs(.450808495941, 1e-11));
  CHECK_THAT(test.p_greater, WithinAbs(.22540424797, 1e-11));  // ttest_ind of the distances
  CHECK(*test.df == 1.0);
  CHECK(*test.df_within == 14.0);
}

TEST_CASE("the F of two variances has SciPy's tails and the interval that inverts them") {
  const auto test = variance_ratio(first, second);
  CHECK_THAT(*test.statistic, WithinAbs(1.70855710705, 1e-10));
  CHECK_THAT(test.p_greater, WithinAbs(.288085756743, 1e-11));  // f.sf(F, 9, 5)
  CHECK_THAT(test.p_less, WithinAbs(.711914243257, 1e-11));
  CHECK_THAT(test.p_two, WithinAbs(.576171513487, 1e-11));
  const auto ratio = *sd_ratio_normal(first, second);
  CHECK_THAT(*ratio.low, WithinAbs(.50569917765, 1e-10));
  CHECK_THAT(*ratio.high, WithinAbs(2.76800881895, 1e-10));
  Scores scaled = second;
  for (double& x : scaled) x *= *ratio.low;
  CHECK_THAT(variance_ratio(first, scaled).p_two, WithinAbs(.05, 1e-10));
}

TEST_CASE("Pitman and Morgan's t is the correlation of sums and differences, its interval the ratios it keeps") {
  const auto test = pitman_morgan(first, paired);  // pearsonr(a + b, a - b)
  CHECK_THAT(*test.statistic, WithinAbs(2.13552013984, 1e-10));
  CHECK_THAT(test.p_two, WithinAbs(.0652298870546, 1e-11));
  CHECK_THAT(test.p_greater, WithinAbs(.0326149435273, 1e-11));
  CHECK(*test.df == 8.0);
  const auto ratio = *paired_sd_ratio_normal(first, paired);  // brentq over the scaled baseline
  CHECK_THAT(ratio.point, WithinAbs(1.54134829239, 1e-10));
  CHECK_THAT(*ratio.low, WithinAbs(.968200107699, 1e-10));
  CHECK_THAT(*ratio.high, WithinAbs(2.45378464594, 1e-10));
}

TEST_CASE("the intervals without a law of the scores are those of their papers") {
  // Written a second time in NumPy from the formulas of Bonett 2006 and of the jackknife.
  const auto groups = *sd_ratio(first, second);
  CHECK_THAT(groups.point, WithinAbs(1.30711786272, 1e-10));
  CHECK_THAT(*groups.low, WithinAbs(.631901327811, 1e-10));
  CHECK_THAT(*groups.high, WithinAbs(2.26441604492, 1e-10));
  const auto pairs = *paired_sd_ratio(first, paired);
  CHECK_THAT(*pairs.low, WithinAbs(.889910076315, 1e-10));
  CHECK_THAT(*pairs.high, WithinAbs(2.6245530763, 1e-9));
}

TEST_CASE("the ratio of the spreads is turned over when the variants are exchanged") {
  for (auto* ratio : {&sd_ratio, &paired_sd_ratio, &sd_ratio_normal, &paired_sd_ratio_normal}) {
    const auto there = (*ratio)(first, paired, .05), back = (*ratio)(paired, first, .05);
    CHECK_THAT(there->point * back->point, WithinAbs(1.0, 1e-12));
    CHECK_THAT(*there->low * *back->high, WithinAbs(1.0, 1e-12));
  }
}

TEST_CASE("the interval of the ratio covers it for scores with heavy tails, where that of F does not") {
  // 400 samples of exp(z), 20 runs each: at least .95 - 3.3 SE of the groups, .87 - 3.3 SE of the pairs; F has .52.
  int by_bonett = 0, by_jackknife = 0, by_f = 0;
  for (std::uint64_t s = 0; s < 400; ++s) {
    const auto law = [](double z) { return std::exp(z); };
    const Scores a = drawn(2 * s, 20, 1.0, law), b = drawn(2 * s + 1, 20, 1.0, law);
    const auto covers = [](const std::optional<Estimate>& e) { return *e->low <= 1.0 && 1.0 <= *e->high ? 1 : 0; };
    by_bonett += covers(sd_ratio(a, b));
    by_jackknife += covers(paired_sd_ratio(a, b));
    by_f += covers(sd_ratio_normal(a, b));
  }
  CHECK(by_bonett >= 360);
  CHECK(by_jackknife >= 325);
  CHECK(by_f <= 260);
}

TEST_CASE("a spread four times as large is found by every test of spread, in its own words") {
  const Scores steady = normals_of(1, 20, 1.0), restless = normals_of(2, 20, 4.0);
  for (const auto& test : all_comparisons()) {
    if (test.about != About::spread) continue;
    CAPTURE(test.name);
    const auto found = compare(test.name, steady, restless, settings_of());
    CHECK(found.about == About::spread);
    CHECK(found.status == Status::better);
    CHECK(name_of(found.status, found.about) == "STEADIER");
    CHECK(found.estimate.point < 1.0);
    CHECK(*found.estimate.high < 1.0);
    const auto back = compare(test.name, restless, steady, settings_of());
    CHECK(name_of(back.status, back.about) == "LESS STEADY");
  }
}

TEST_CASE("a shift of the level is nothing to a test of spread, and neither is the direction of the scores") {
  const Scores low = normals_of(3, 20, 1.0);
  Scores high = normals_of(4, 20, 1.0);
  for (double& x : high) x += 50.0;
  for (const auto& test : all_comparisons()) {
    if (test.about != About::spread) continue;
    CAPTURE(test.name);
    CHECK(compare(test.name, high, low, settings_of()).status == Status::inconclusive);
    const auto higher = compare(test.name, first, paired, settings_of()),
               lower = compare(test.name, first, paired, settings_of(Direction::lower));
    CHECK_THAT(*lower.p_better, WithinAbs(*higher.p_better, 1e-12));
    CHECK_THAT(lower.estimate.point, WithinAbs(higher.estimate.point, 1e-12));
    CHECK_THAT(*lower.estimate.low, WithinAbs(*higher.estimate.low, 1e-12));
  }
}

TEST_CASE("Brown-Forsythe keeps its level for heavy tails, where F does not") {
  // 400 null data sets of exp(z), 12 runs each, alpha .05 a side: at most 34 (20 + 3.3 SE) a side; F is far beyond.
  int steadier = 0, by_f = 0;
  for (std::uint64_t s = 0; s < 400; ++s) {
    const auto law = [](double z) { return std::exp(z); };
    const Scores a = drawn(5'000 + 2 * s, 12, 1.0, law), b = drawn(5'001 + 2 * s, 12, 1.0, law);
    steadier += compare("brown_forsythe", a, b, settings_of()).status == Status::better ? 1 : 0;
    by_f += compare("variance_ratio", a, b, settings_of()).status == Status::better ? 1 : 0;
  }
  CHECK(steadier <= 34);
  CHECK(by_f >= 80);
}

TEST_CASE("where a variant does not vary there is no ratio, no p and no verdict") {
  const Scores constant(10, 80.1);
  for (const auto& test : all_comparisons()) {
    if (test.about != About::spread) continue;
    CAPTURE(test.name);
    for (const auto& outcome :
         {compare(test.name, constant, first, settings_of()), compare(test.name, first, constant, settings_of())}) {
      CHECK(outcome.status == Status::invalid);
      CHECK(outcome.reason == InvalidReason::ties);
      CHECK_FALSE(outcome.p);
      CHECK_FALSE(outcome.statistic);
      CHECK_THAT(outcome.notes.at(0), has_text("all equal"));
    }
  }
  CHECK_FALSE(sd_ratio(constant, first));
  CHECK_FALSE(paired_sd_ratio(first, constant));
}

TEST_CASE("what measures no chance gives no p of 0") {
  // Every distance from the median is 1: F would be 0 / 0 or infinite.
  const auto equal = brown_forsythe(Scores{-1, 1, -1, 1}, Scores{-3, 3, -3, 3});
  CHECK_FALSE(equal.statistic);
  CHECK(equal.p_two == 1.0);
  const auto line = pitman_morgan(Scores{1, 2, 3, 4}, Scores{2, 4, 6, 8});
  CHECK_FALSE(line.statistic);
  CHECK(line.p_two == 1.0);
}

TEST_CASE("few runs leave a ratio without bounds, and too few are refused") {
  const auto few = *sd_ratio(Scores{1, 2, 4, 3}, first);
  CHECK_FALSE(few.low);
  CHECK_THAT(few.method, has_text("five runs"));
  // Without the 9 the others are equal: there is no variance to take the logarithm of.
  const auto one_out = *paired_sd_ratio(Scores{1, 1, 1, 1, 9}, Scores{1, 2, 3, 4, 6});
  CHECK_FALSE(one_out.low);
  CHECK(refused_field([] { (void)brown_forsythe(Scores{1, 2}, first); }) == "candidate runs");
  CHECK(refused_field([] { (void)variance_ratio(first, Scores{1}); }) == "baseline runs");
  CHECK(refused_field([] { (void)pitman_morgan(first, second); }) == "baseline");
  CHECK(refused_field([] { (void)sd_ratio(first, second, .5); }) == "alpha");
}

}  // namespace retrial::tests::spread_tests
