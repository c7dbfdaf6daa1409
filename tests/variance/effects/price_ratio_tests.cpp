// Reference values: closed forms, said where they stand.
#include "variance/effects/price_ratio.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::price_ratio_tests {

using namespace retrial::variance;

namespace {

using Times = std::vector<double>;

/// Times around `median`, a spread of 10 %.
Times measured(std::uint64_t key, std::size_t n, double median) {
  Times times;
  for (std::size_t i = 0; i < n; ++i) times.push_back(median * std::exp(.1 * normal(block(key, i, 0)[0])));
  return times;
}

}  // namespace

TEST_CASE("the flag and the fill cost 1.40 and 1.10, and together their product") {
  const Times off{10.0, 10.0, 10.0}, strict{14.0, 14.0, 14.0}, filled{15.4, 15.4, 15.4};
  const Estimate flag = price_ratio(strict, off, 1), fill = price_ratio(filled, strict, 1),
                 total = price_ratio(filled, off, 1);
  CHECK_THAT(flag.point, WithinRel(1.4, 1e-14));
  CHECK_THAT(fill.point, WithinRel(1.1, 1e-14));
  CHECK_THAT(total.point, WithinRel(1.54, 1e-14));
  CHECK_THAT(total.point, WithinRel(flag.point * fill.point, 1e-14));
  CHECK(price_text(total.point) == "1.54x (154 %)");
  CHECK(price_text(price_ratio(Times{74.6}, Times{10.0}, 1).point) == "7.46x (746 %)");
}

TEST_CASE("a price is the geometric mean over pairs, and its inverse without the switch") {
  const Times with{2.0, 8.0, 1.0}, without{1.0, 2.0, 1.0};  // ratios 2, 4, 1: the cube root of 8
  CHECK_THAT(price_ratio(with, without, 1).point, WithinRel(2.0, 1e-14));
  CHECK_THAT(price_ratio(without, with, 1).point, WithinRel(0.5, 1e-14));
}

TEST_CASE("three pairs have the interval of their extremes, fewer have none") {
  // Of 27 resamples one is the smallest value three times: 1/27 is above 2.5 %, so both bounds are extremes.
  const Estimate ratio = price_ratio(Times{1.1, 1.3, 1.2}, Times{1.0, 1.0, 1.0}, 1);
  REQUIRE((ratio.low && ratio.high));
  CHECK_THAT(*ratio.low, WithinRel(1.1, 1e-14));
  CHECK_THAT(*ratio.high, WithinRel(1.3, 1e-14));
  const Estimate two = price_ratio(Times{1.1, 1.3}, Times{1.0, 1.0}, 1);
  CHECK_FALSE((two.low || two.high));
  CHECK(price_verdict(two, 100.0) == PriceVerdict::inconclusive);
}

TEST_CASE("a price is below or above a limit only where its whole interval is") {
  const Estimate ratio = price_ratio(Times{1.1, 1.3, 1.2}, Times{1.0, 1.0, 1.0}, 1);
  CHECK(price_verdict(ratio, 1.31) == PriceVerdict::below);
  CHECK(price_verdict(ratio, 1.29) == PriceVerdict::inconclusive);
  CHECK(price_verdict(ratio, 1.11) == PriceVerdict::inconclusive);
  CHECK(price_verdict(ratio, 1.09) == PriceVerdict::above);
  CHECK(price_verdict_name(PriceVerdict::below) == "below");
  CHECK(price_verdict_name(PriceVerdict::above) == "above");
  CHECK(price_verdict_name(PriceVerdict::inconclusive) == "inconclusive");
}

TEST_CASE("the interval holds the true price about as often as it says") {
  // Ten pairs: a percentile bootstrap of ten values holds some 90 %, never 99.
  int held = 0;
  constexpr int studies = 400;
  for (std::uint64_t s = 0; s < studies; ++s) {
    const Estimate ratio =
        price_ratio(measured(derive(s, "with"), 10, 12.0), measured(derive(s, "without"), 10, 10.0), s);
    held += *ratio.low <= 1.2 && 1.2 <= *ratio.high;
  }
  CHECK(held > .84 * studies);
  CHECK(held < .97 * studies);
}

TEST_CASE("a price of equal programs is about 1, and a switch that costs a fifth is told from it") {
  const Times same = measured(1, 20, 10.0);
  CHECK(price_ratio(same, same, 3).point == 1.0);
  CHECK(price_verdict(price_ratio(measured(4, 20, 12.0), measured(5, 20, 10.0), 6), 1.0) == PriceVerdict::above);
  CHECK(price_verdict(price_ratio(measured(4, 20, 10.0), measured(5, 20, 12.0), 6), 1.0) == PriceVerdict::below);
}

TEST_CASE("times that are none are named") {
  CHECK_THROWS_WITH(price_ratio(Times{}, Times{}, 1), has_text("with = no times"));
  CHECK_THROWS_WITH(price_ratio(Times{1.0, 2.0}, Times{1.0}, 1),
                    has_text("without = 1 times") && has_text("allowed: 2"));
  CHECK_THROWS_WITH(price_ratio(Times{1.0, 0.0}, Times{1.0, 1.0}, 1), has_text("with = 0"));
  CHECK_THROWS_WITH(price_ratio(Times{1.0}, Times{-2.0}, 1), has_text("without = -2"));
  CHECK_THROWS_WITH(price_ratio(Times{NAN}, Times{1.0}, 1), has_text("with = nan"));
  CHECK_THROWS_WITH(price_verdict(price_ratio(Times{1.0}, Times{1.0}, 1), 0.0), has_text("limit = 0"));
}

}  // namespace retrial::tests::price_ratio_tests
