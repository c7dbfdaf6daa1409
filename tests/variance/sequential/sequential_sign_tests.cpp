#include "variance/sequential/sequential_sign.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"

namespace retrial::tests::sequential_sign_tests {

// Expected values: an independent forward dynamic program (the specification of the variance layer), alpha = beta =
// .05, gamma = .75. Open plans are tabled far beyond the pairs that any path needs.

using namespace retrial::variance;

TEST_CASE("curtailing 27 of 42 pairs saves a quarter of them") {
  const auto plan = bounded_plan(SignFamily::curtailed, 42);
  CHECK_THAT(operating(plan, .5).pairs, WithinAbs(31.7612073, 1e-7));
  CHECK_THAT(operating(plan, .6).pairs, WithinAbs(36.8434580, 1e-7));
  CHECK(plan.verdict(27, 27) == Status::better);
  CHECK(plan.verdict(0, 16) == Status::not_meaningful);
  CHECK_FALSE(plan.verdict(26, 41));
}

TEST_CASE("curtailing never changes what the fixed rule says") {
  for (const std::int64_t pairs : {5, 20, 29, 42, 60}) {
    const auto plan = bounded_plan(SignFamily::curtailed, pairs);
    const auto rule = fixed_rule(pairs, {});
    for (const double p : {.3, .5, .75, .9}) {
      const auto result = operating(plan, p);
      CHECK(result.pairs <= static_cast<double>(pairs));
      CHECK_THAT(result.better + result.against + result.undecided, WithinAbs(1, 1e-12));
      if (p == .5) CHECK_THAT(result.better, WithinAbs(rule.size, 1e-12));
      if (p == .75) CHECK_THAT(result.better, WithinAbs(rule.power, 1e-12));
    }
  }
  // Twenty pairs leave outcomes open; one that can no longer be decided ends at once.
  const auto twenty = bounded_plan(SignFamily::curtailed, 20);  // 12 to 14 wins of 20 decide nothing
  CHECK(twenty.verdict(12, 18) == Status::inconclusive);
  CHECK_FALSE(twenty.verdict(11, 18));
  CHECK_FALSE(twenty.verdict(13, 18));
}

TEST_CASE("the sequential probability ratio test has Wald's bounds and its error rates") {
  CHECK_THAT(log_likelihood_ratio(1, 1, .75), WithinAbs(.4054651081, 1e-10));
  CHECK_THAT(log_likelihood_ratio(0, 1, .75), WithinAbs(-.6931471806, 1e-10));
  const auto plan = open_plan(SignFamily::sprt, 1000);
  const auto at = [&](double p, double better, double pairs) {
    CHECK_THAT(operating(plan, p).better, WithinAbs(better, 1e-9));
    CHECK_THAT(operating(plan, p).pairs, WithinAbs(pairs, 1e-7));
  };
  at(.65, .6262777974, 35.5524073);
  at(.75, .9627836087, 22.0501383);
  at(.9, .9999013440, 10.5698015);
}

TEST_CASE("the mixture e-value is a ratio of beta integrals") {
  CHECK_THAT(std::exp(log_win_e(1, 1)), WithinAbs(1.5, 1e-12));
  CHECK_THAT(std::exp(log_win_e(6, 6)), WithinAbs(18.1428571429, 1e-9));
  CHECK_THAT(std::exp(log_win_e(7, 7)), WithinAbs(31.875, 1e-9));
  CHECK_THAT(std::exp(log_win_e(27, 42)), WithinAbs(2.0047183168, 1e-9));
  CHECK_THAT(log_win_e(0, 0), WithinAbs(0, 1e-12));
}

TEST_CASE("an e-value has expectation one under its null: the mean over the next pair is the value itself") {
  for (std::int64_t n = 0; n <= 60; ++n)
    for (std::int64_t w = 0; w <= n; ++w) {
      const double win = std::exp(log_win_e(w + 1, n + 1)), loss = std::exp(log_win_e(w, n + 1));
      CHECK_THAT((win + loss) / 2.0, WithinRel(std::exp(log_win_e(w, n)), 1e-10));
      const double up = std::exp(log_below_gamma_e(w + 1, n + 1, .75)),
                   down = std::exp(log_below_gamma_e(w, n + 1, .75));
      CHECK_THAT(.75 * up + .25 * down, WithinRel(std::exp(log_below_gamma_e(w, n, .75)), 1e-10));
      const double fixed = conditional_rejection(w, n, 40, 62);
      CHECK_THAT((conditional_rejection(w + 1, n + 1, 40, 62) + conditional_rejection(w, n + 1, 40, 62)) / 2.0,
                 WithinAbs(fixed, 1e-12));
    }
}

TEST_CASE("the mixture e-process alone") {
  auto plan = open_plan(SignFamily::mixture_e, 200);
  for (auto& low : plan.low) low = -1;  // one direction only, as the reference was computed
  CHECK_THAT(operating(plan, .5).better, WithinAbs(.0319472686, 1e-9));
  auto far = open_plan(SignFamily::mixture_e, 1500);
  for (auto& low : far.low) low = -1;
  CHECK_THAT(operating(far, .75).pairs, WithinAbs(27.7507256, 1e-6));
  CHECK_THAT(operating(far, .8).pairs, WithinAbs(18.9813140, 1e-6));
  CHECK_THAT(operating(far, .9).pairs, WithinAbs(10.7436321, 1e-6));
  const auto both = operating(open_plan(SignFamily::mixture_e, 200), .5);
  CHECK_THAT(both.better, WithinAbs(both.against, 1e-12));  // WORSE mirrors BETTER
  CHECK(both.better <= .05);
}

TEST_CASE("dual e-processes stop early on both sides") {
  const auto plan = open_plan(SignFamily::dual_e, 1500);
  const auto at = [&](double p, double better, double against, double pairs) {
    const auto result = operating(plan, p);
    CHECK_THAT(result.better, WithinAbs(better, 1e-8));
    CHECK_THAT(result.against, WithinAbs(against, 1e-8));
    CHECK_THAT(result.pairs, WithinAbs(pairs, 1e-6));
  };
  at(.5, .0284467590, .9715532410, 25.0606314);
  at(.6, .3153514312, .6846485688, 44.6684502);
  at(.75, .9678305206, .0321694794, 26.1928458);
}

TEST_CASE("thresholds of the dual e-processes") {
  const auto plan = open_plan(SignFamily::dual_e, 100);
  struct Row {
    std::size_t n;
    std::int64_t low, high;  // high = n + 1: none
  };
  for (const auto& [n, low, high] :
       std::vector<Row>{{1, -1, 2},   {2, -1, 3},   {3, 0, 4},    {4, 0, 5},    {5, 0, 6},    {6, 1, 7},
                        {7, 1, 7},    {8, 2, 8},    {9, 2, 9},    {10, 3, 10},  {11, 3, 10},  {12, 4, 11},
                        {13, 5, 12},  {14, 5, 12},  {15, 6, 13},  {20, 9, 16},  {25, 12, 20}, {30, 15, 23},
                        {35, 18, 26}, {42, 22, 31}, {50, 27, 36}, {75, 44, 51}, {100, 60, 65}}) {
    CAPTURE(n);
    CHECK(plan.low[n] == low);
    CHECK(plan.high[n] == high);
  }
}

TEST_CASE("a bounded e-process keeps its errors and ends at its horizon") {
  for (const auto family : {SignFamily::sprt, SignFamily::mixture_e, SignFamily::dual_e}) {
    const auto bounded = bounded_plan(family, 60);
    const auto open = open_plan(family, 60);
    for (const double p : {.5, .75}) {
      const auto cut = operating(bounded, p), full = operating(open, p);
      CHECK_THAT(cut.better, WithinAbs(full.better, 1e-12));  // curtailment changes no verdict
      CHECK_THAT(cut.against, WithinAbs(full.against, 1e-12));
      CHECK(cut.pairs <= full.pairs);
    }
    CHECK(operating(bounded, .5).better <= .05 / .95);  // Wald's inequality for the SPRT, alpha for the e-values
  }
}

TEST_CASE("sequential plans refuse counts and horizons by name") {
  CHECK(refused_field([] { (void)open_plan(SignFamily::curtailed, 10); }) == "family");
  CHECK(refused_field([] { (void)bounded_plan(SignFamily::sprt, 0); }) == "horizon");
  CHECK(refused_field([] { (void)bounded_plan(SignFamily::sprt, 10, {.gamma = .4}); }) == "gamma");
  CHECK(refused_field([] { (void)log_win_e(3, 2); }) == "wins");
  CHECK(refused_field([] { (void)bounded_plan(SignFamily::sprt, 10).verdict(0, 11); }) == "n");
}

}  // namespace retrial::tests::sequential_sign_tests
