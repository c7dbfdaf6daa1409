#include "variance/wins/decide.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::tests::decide_tests {

using namespace retrial::variance;

namespace {

/// P(Bin(n, p) >= k) by adding the terms, built by the recurrence of the probabilities: no incomplete beta.
double tail_by_sum(std::int64_t k, std::int64_t n, double p) {
  double term = std::pow(1.0 - p, static_cast<double>(n)), sum = 0;
  for (std::int64_t i = 0; i <= n; ++i) {
    if (i >= k) sum += term;
    term *= static_cast<double>(n - i) / static_cast<double>(i + 1) * p / (1.0 - p);
  }
  return sum;
}

}  // namespace

TEST_CASE("sample sizes agree with closed forms and exact binomial sums") {
  // Closed forms and exact binomial sums by two programs written apart from this one; alpha = .05.
  struct Row {
    double gamma, beta, wmw;
    std::int64_t wmw_n;
    double sign;
    std::int64_t sign_n, pairs, wins;
    double size, power;
  };
  const Row rows[] = {
      {.55, .05, 721.4782544, 722, 1082.217382, 1083, 1092, 574, .0479962, .9502119},
      {.65, .05, 80.16425049, 81, 120.2463757, 121, 119, 69, .0492618, .9540704},
      {.70, .05, 45.09239090, 46, 67.63858635, 68, 67, 41, .0432186, .9533933},
      {.75, .05, 28.85913018, 29, 43.28869527, 44, 42, 27, .0442147735, .9583713019},
      {.90, .05, 11.27309773, 12, 16.90964659, 17, 13, 10, .0461426, .9658393},
      {.75, .20, 16.48681929, 17, 24.73022893, 25, 23, 16, .0465698, .8036967},
      {.70, .20, 25.76065513, 26, 38.64098270, 39, 37, 24, .0494359, .8070957},
      {.60, .20, 103.0426205, 104, 154.5639308, 155, 158, 90, .0472373, .8056549},
  };
  for (const Row& row : rows) {
    const Levels levels{.alpha = .05, .beta = row.beta, .gamma = row.gamma};
    CAPTURE(row.gamma, row.beta);
    const auto wmw = noether(levels, NoetherDesign::wmw_per_group), sign = noether(levels, NoetherDesign::sign_pairs);
    CHECK_THAT(wmw.exact, WithinRel(row.wmw, 1e-9));
    CHECK(wmw.n == row.wmw_n);
    CHECK_THAT(sign.exact, WithinRel(row.sign, 1e-9));
    CHECK(sign.n == row.sign_n);
    const auto exact = exact_sign_design(levels);
    CHECK(exact.pairs == row.pairs);
    CHECK(exact.wins_needed == row.wins);
    CHECK_THAT(exact.size, WithinAbs(row.size, 1e-7));
    CHECK_THAT(exact.power, WithinAbs(row.power, 1e-7));
  }
}

TEST_CASE("the least design is least, and from the stable one on the power stays") {
  for (const double gamma : {.65, .75, .9}) {
    const Levels levels{.gamma = gamma};
    const auto design = exact_sign_design(levels);
    const auto power = [&](std::int64_t n) {
      for (std::int64_t c = 0; c <= n; ++c)
        if (tail_by_sum(c, n, .5) <= levels.alpha) return tail_by_sum(c, n, gamma);
      return 0.0;
    };
    for (std::int64_t n = 1; n < design.pairs; ++n) REQUIRE(power(n) < .95);
    CHECK(design.stable_pairs >= design.pairs);
    CHECK(power(design.stable_pairs - 1) < .95);
    for (std::int64_t n = design.stable_pairs; n < design.stable_pairs + 100; ++n) REQUIRE(power(n) >= .95);
  }
  CHECK(exact_sign_design({}).stable_pairs > 42);  // at the defaults 43 pairs already need more wins for less power
}

TEST_CASE("a plan of 20 pairs needs 15 wins, with size .021 and power .62") {
  const auto rule = fixed_rule(20, {});
  CHECK(rule.better_from == 15);
  CHECK_THAT(rule.size, WithinAbs(.021, .0005));
  CHECK_THAT(rule.power, WithinAbs(.62, .005));
  CHECK_THAT(rule.size, WithinRel(tail_by_sum(15, 20, .5), 1e-12));
  CHECK_THAT(rule.power, WithinRel(tail_by_sum(15, 20, .75), 1e-12));
  CHECK(rule.min_p == 0x1p-20);
}

TEST_CASE("the exact fixed rule has its published table") {
  // Exact sums by two programs written apart from this one: n, BETTER from, NOT MEANINGFUL up to.
  const std::tuple<std::int64_t, std::int64_t, std::int64_t> rows[] = {
      {15, 12, 7},  {20, 15, 11}, {25, 18, 14}, {29, 20, 17}, {35, 23, 21},
      {40, 26, 24}, {42, 27, 26}, {50, 32, 31}, {60, 39, 38}, {100, 68, 67}};
  for (const auto& [n, better, not_meaningful] : rows) {
    const auto rule = fixed_rule(n, {});
    CAPTURE(n);
    CHECK(rule.better_from == better);
    CHECK(rule.not_meaningful_to == not_meaningful);
    for (std::int64_t w = 0; w <= n; ++w) {
      const Status status = pab_exact(w, n);
      if (w >= better)
        REQUIRE(status == Status::better);
      else if (n - w >= better)
        REQUIRE(status == Status::worse);
      else if (w <= not_meaningful)
        REQUIRE(status == Status::not_meaningful);
      else
        REQUIRE(status == Status::inconclusive);
    }
  }
  CHECK(pab_exact(67, 100) == Status::not_meaningful);  // significant against 1/2, yet gamma is excluded
  CHECK(tail_by_sum(67, 100, .5) < .05);
}

TEST_CASE("the size of the exact fixed rule never exceeds alpha, for every number of pairs up to 100") {
  for (const double alpha : {.05, .01, .1, 1.0 / 32})
    for (std::int64_t n = 0; n <= 100; ++n) {
      double better = 0, worse = 0;
      for (std::int64_t w = 0; w <= n; ++w) {
        const double probability = tail_by_sum(w, n, .5) - tail_by_sum(w + 1, n, .5);
        const Status status = pab_exact(w, n, {.alpha = alpha});
        if (status == Status::better) better += probability;
        if (status == Status::worse) worse += probability;
      }
      CAPTURE(alpha, n);
      REQUIRE(better <= alpha + 1e-12);
      REQUIRE(worse <= alpha + 1e-12);
    }
}

TEST_CASE("one to four pairs can never be BETTER, where the published rule accepts half of equal variants") {
  for (std::int64_t n = 0; n <= 4; ++n)
    for (std::int64_t w = 0; w <= n; ++w) {
      CHECK(pab_exact(w, n) != Status::better);
      CHECK(pab_exact(w, n) != Status::worse);
    }
  CHECK(pab_exact(5, 5) == Status::better);
  CHECK(pab_exact(0, 5) == Status::worse);
  CHECK(pab_exact(0, 0) == Status::inconclusive);
}

TEST_CASE("a tail that equals alpha exactly is within it") {
  CHECK(pab_exact(5, 5, {.alpha = 1.0 / 32}) == Status::better);
  CHECK(pab_exact(5, 5, {.alpha = 1.0 / 32.001}) != Status::better);
  CHECK(critical_wins(10, 56.0 / 1024) == 8);  // P(Bin(10, 1/2) >= 8) = 56/1024
}

TEST_CASE("the rule is symmetric under exchanging the variants") {
  for (std::int64_t n = 0; n <= 60; ++n)
    for (std::int64_t w = 0; w <= n; ++w) {
      REQUIRE((pab_exact(w, n) == Status::better) == (pab_exact(n - w, n) == Status::worse));
      REQUIRE((pab_exact(w, n) == Status::worse) == (pab_exact(n - w, n) == Status::better));
    }
}

TEST_CASE("an inconclusive result says how many more pairs a new design would take") {
  // Exact sums by two programs written apart from this one.
  const auto check = [](std::int64_t w, std::int64_t n, std::int64_t more, double probability) {
    const auto advice = more_pairs(w, n);
    CAPTURE(w, n);
    CHECK(advice.pairs == more);
    CHECK_THAT(advice.probability, WithinRel(probability, 1e-9));
  };
  check(12, 20, 13, .8240977480);
  check(13, 20, 15, .8019585431);
  check(7, 10, 23, .8577821450);
}

TEST_CASE("the advice is the least number of pairs that enumerating every outcome finds") {
  for (const Levels& levels : {Levels{}, Levels{.alpha = .3, .beta = .001, .gamma = .6}, Levels{.alpha = .01}})
    for (const auto& [w, n] : {std::pair<std::int64_t, std::int64_t>{1, 2}, {4, 6}, {3, 9}, {9, 14}}) {
      const double share = (static_cast<double>(w) + 1) / (static_cast<double>(n) + 2);
      const auto decided = [&levels, share, won = w, pairs = n](std::int64_t more) {  // clang++ 14 captures no bindings
        double probability = 0;
        for (std::int64_t x = 0; x <= more; ++x)
          if (pab_exact(won + x, pairs + more, levels) != Status::inconclusive)
            probability += tail_by_sum(x, more, share) - tail_by_sum(x + 1, more, share);
        return probability;
      };
      std::int64_t least = 1;
      while (least <= 10 * n && decided(least) < .8) ++least;
      const auto advice = more_pairs(w, n, levels);
      CAPTURE(w, n, levels.alpha, levels.beta, levels.gamma);
      CHECK(advice.pairs.value_or(10 * n + 1) == least);
      CHECK_THAT(advice.probability, WithinAbs(decided(std::min(least, 10 * n)), 1e-9));
    }
}

TEST_CASE("a result without pairs has no advice, and one pair may be too little for any") {
  CHECK_FALSE(more_pairs(0, 0).pairs);
  CHECK_FALSE(more_pairs(1, 1).pairs);  // ten more pairs at most are tried
}

TEST_CASE("levels outside their ranges are refused by name") {
  for (const double alpha : {0.0, .5, -.1, std::nan("")})
    CHECK(refused_field([&] { (void)fixed_rule(10, {.alpha = alpha}); }) == "alpha");
  for (const double beta : {0.0, .5}) CHECK(refused_field([&] { (void)pab_exact(1, 2, {.beta = beta}); }) == "beta");
  for (const double gamma : {.5, 1.0})
    CHECK(refused_field([&] { (void)exact_sign_design({.gamma = gamma}); }) == "gamma");
  CHECK(refused_field([] { (void)exact_sign_design({.gamma = .5001}); }) == "gamma");
  CHECK(refused_field([] { (void)pab_exact(3, 2); }) == "wins");
  CHECK(refused_field([] { (void)more_pairs(-1, 2); }) == "wins");
  CHECK(refused_field([] { (void)fixed_rule(-1, {}); }) == "pairs");
}

TEST_CASE("status words and reasons are those of the design") {
  CHECK(name_of(Status::better) == "BETTER");
  CHECK(name_of(Status::worse) == "WORSE");
  CHECK(name_of(Status::equivalent) == "EQUIVALENT");
  CHECK(name_of(Status::not_meaningful) == "NOT MEANINGFUL");
  CHECK(name_of(Status::inconclusive) == "INCONCLUSIVE");
  CHECK(name_of(Status::invalid) == "INVALID");
  CHECK(name_of(InvalidReason::design_mismatch) == "design-mismatch");
  CHECK(name_of(InvalidReason::null_control) == "null-control");
  CHECK(name_of(InvalidReason::dead_source) == "dead-source");
  CHECK(name_of(InvalidReason::program_changed) == "program-changed");
}

}  // namespace retrial::tests::decide_tests
