// One claim: values by another program, exact fractions where they are written so.
#include "harness/gate/claim_test.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::tests::claim_test_tests {

using namespace retrial::harness;
using Scores = std::vector<double>;

namespace {

GateClaim claim_of(const Scores& a, const Scores& b, bool absolute = false) {
  GateClaim out{.workload = "w", .metric = "m", .absolute = absolute};
  for (const std::size_t side : {base, head})
    for (const double value : side == base ? a : b)
      out.trials[side].push_back({.values = {value}, .pair = std::ssize(out.trials[side])});
  return out;
}

GateSettings by(GateTest test) {
  GateSettings out;
  out.test = test, out.allow_sequential = true, out.min_effect_abs = 0.0, out.margin_abs = 0.0;
  return out;
}

GateVerdict ranked(const Scores& a, const Scores& b, bool absolute = false) {
  return test_claim(claim_of(a, b, absolute), by(GateTest::rank)).verdict;
}

void check_bounds(const std::optional<variance::Estimate>& found, double low, double high) {
  CHECK_THAT(found.value().low.value(), WithinAbs(low, 1e-12));
  CHECK_THAT(found.value().high.value(), WithinAbs(high, 1e-12));
}

}  // namespace

TEST_CASE("the rank test of five, of tiny and of unequal sides", "[gate]") {
  const auto five = ranked({10.1, 10.2, 10.3, 10.4, 10.5}, {10.6, 10.7, 10.8, 10.9, 11.0});
  CHECK_THAT(five.p_worse.value(), WithinRel(1.0 / 252, 1e-9));
  CHECK_THAT(five.effect.value(), WithinRel(0.048543689320388494, 1e-9));
  check_bounds(five.ci95, 0.019230769230769183, 0.07843137254901993);
  check_bounds(five.ci90, 0.028846153846153622, 0.06862745098039232);

  const auto tiny = ranked({1, 2, 4}, {3, 5, 6});
  CHECK_THAT(tiny.p_worse.value(), WithinRel(1.0 / 10, 1e-9));
  CHECK_THAT(tiny.p_better.value(), WithinRel(19.0 / 20, 1e-9));
  CHECK_THAT(tiny.effect.value(), WithinRel(1.5, 1e-9));
  CHECK((!tiny.ci95->low && !tiny.ci95->high));
  check_bounds(tiny.ci90, -0.25, 5.0);

  const auto unequal = ranked({20.1, 19.8, 20.4, 20.0, 19.9, 20.3}, {20.6, 20.2, 20.9, 21.0});
  CHECK_THAT(unequal.p_worse.value(), WithinRel(2.0 / 105, 1e-9));
  CHECK_THAT(unequal.effect.value(), WithinRel(0.029778301263769263, 1e-9));
  check_bounds(unequal.ci95, 0.004975124378109347, 0.055276381909548124);
}

TEST_CASE("epochs to a target have ties", "[gate]") {
  const auto epochs = ranked({12, 13, 13, 14, 14, 14, 15, 15, 16, 17}, {14, 15, 15, 16, 16, 17, 17, 18, 18, 30}, true);
  CHECK_THAT(epochs.p_worse.value(), WithinRel(701.0 / 184756, 1e-9));
  CHECK(epochs.effect == 2.0);
  check_bounds(epochs.ci95, 1, 4);
}

namespace {

/// Two hosts: 10 11 12 against 11.5 12.5 13, and 20 21 22 against 20.5 22.5 23.
GateClaim two_hosts() {
  GateClaim out = claim_of({10, 11, 12, 20, 21, 22}, {11.5, 12.5, 13, 20.5, 22.5, 23}, true);
  for (auto& side : out.trials)
    for (std::size_t i = 0; i < side.size(); ++i) side[i].place = GatePlace{i < 3 ? "one" : "two", "boot", "launch"};
  return out;
}

}  // namespace

TEST_CASE("processes are compared with those of their own host, boot and launch", "[gate]") {
  const auto apart = test_claim(two_hosts(), by(GateTest::rank)).verdict;
  CHECK(apart.strata == 2);
  CHECK_THAT(apart.p_worse.value(), WithinRel(9.0 / 200, 1e-9));  // all labelings, by another program
  CHECK_THAT(apart.p_better.value(), WithinRel(49.0 / 50, 1e-9));
  CHECK(apart.effect == 1.25);
  check_bounds(apart.ci95, -0.5, 2.5);
  CHECK_THAT(apart.min_p, WithinRel(1.0 / 400, 1e-9));  // 1 / (6 over 3)^2
  using Origins = GateVerdict::Origins;
  CHECK(apart.origins[base] == Origins{1, 1, 2});

  GateClaim pooled = two_hosts();
  for (auto& side : pooled.trials)
    for (auto& trial : side) trial.place.reset();
  const auto together = test_claim(pooled, by(GateTest::rank)).verdict;
  CHECK(together.strata == 1);
  CHECK(together.p_worse > apart.p_worse);  // the difference of the hosts is noise here
  CHECK(!together.origins[base]);
}

TEST_CASE("a launch with runs of one side alone is no stratum", "[gate]") {
  GateClaim stored = two_hosts();
  for (auto& trial : stored.trials[base]) trial.place->launch = "of the baseline";
  const auto verdict = test_claim(stored, by(GateTest::rank)).verdict;
  CHECK(verdict.strata == 1);
  CHECK_THAT(verdict.min_p, WithinRel(1.0 / 924, 1e-9));
}

TEST_CASE("mid-p is shown only where it is asked for", "[gate]") {
  const GateClaim epochs =
      claim_of({12, 13, 13, 14, 14, 14, 15, 15, 16, 17}, {14, 15, 15, 16, 16, 17, 17, 18, 18, 30}, true);
  GateSettings settings = by(GateTest::rank);
  CHECK(!test_claim(epochs, settings).verdict.mid_p_worse);
  settings.mid_p = true;
  CHECK_THAT(test_claim(epochs, settings).verdict.mid_p_worse.value(), WithinRel(0.0030797375998614387, 1e-9));
  GateClaim returns = epochs;
  returns.direction = variance::Direction::higher;
  CHECK(test_claim(returns, settings).verdict.mid_p_worse.value() > 0.99);
}

TEST_CASE("processes that never got there rank as the worst, tied with each other", "[gate]") {
  GateSettings settings = by(GateTest::rank);
  settings.failure = GateFailure::loss;
  const auto censored = [&](const Scores& a, const Scores& b, std::size_t lost) {
    GateClaim claim = claim_of(a, b, true);
    for (std::size_t i = 0; i < lost; ++i) claim.trials[head].push_back({.failed = true, .pair = 100});
    return test_claim(claim, settings).verdict;
  };
  const auto two = censored({9, 10, 10, 11, 12, 12, 13, 15}, {11, 12, 13, 14, 16, 20}, 2);
  CHECK_THAT(two.p_worse.value(), WithinRel(4.0 / 429, 1e-9));
  CHECK(two.effect == 4.0);
  CHECK(two.ci95->low == 1.0);
  CHECK(!std::isfinite(two.ci95->high.value_or(HUGE_VAL)));
  const auto four = censored({4, 5, 5, 6, 6, 7, 8, 9, 10, 12}, {5, 6, 7, 7, 9, 11}, 4);
  CHECK_THAT(four.p_worse.value(), WithinRel(90.0 / 2431, 1e-9));
  CHECK(four.effect == 3.0);
  CHECK(four.ci95->low == 0.0);
}

TEST_CASE("sign flips and signed ranks of pairs, zeros and ties among them", "[gate]") {
  const Scores a{.910, .905, .912, .908, .915, .903, .909, .911, .907, .906},
      b{.918, .909, .915, .917, .914, .910, .914, .921, .909, .912};
  GateClaim claim = claim_of(a, b, true);
  claim.direction = variance::Direction::higher;
  const auto flipped = test_claim(claim, by(GateTest::signflip)).verdict;
  CHECK(flipped.test == "signflip");
  CHECK_THAT(flipped.p_better.value(), WithinRel(1.0 / 512, 1e-9));
  CHECK_THAT(flipped.effect.value(), WithinAbs(0.0055, 1e-12));

  GateClaim tied = claim_of({.80, .82, .79, .81, .80, .83, .78, .81}, {.80, .81, .80, .81, .79, .83, .79, .80}, true);
  tied.direction = variance::Direction::higher;
  const auto of = [&](GateTest test) { return test_claim(tied, by(test)).verdict; };
  CHECK_THAT(of(GateTest::signflip).p_better.value(), WithinRel(13.0 / 16, 1e-9));
  CHECK_THAT(of(GateTest::paired).p_better.value(), WithinRel(13.0 / 16, 1e-9));
  CHECK_THAT(of(GateTest::paired).p_worse.value(), WithinRel(1.0 / 2, 1e-9));
  check_bounds(of(GateTest::paired).ci95, -0.01, 0.005);
}

TEST_CASE("more than 20 pairs draw their signs from the root seed", "[gate]") {
  Scores a, b;
  for (int i = 0; i < 24; ++i) a.push_back(10.0 + 0.01 * i), b.push_back(a.back() + (i % 3 == 0 ? -0.2 : 0.3));
  GateSettings settings = by(GateTest::signflip);
  const auto p = [&](std::uint64_t root) {
    settings.root = root;
    return test_claim(claim_of(a, b, true), settings).verdict.p_worse.value();
  };
  CHECK(p(1) == p(1));
  CHECK(p(1) != p(2));
  // Mean 3.2/24 of differences whose squares sum to 1.76: a normal law has z = 2.41 and p = .008.
  CHECK_THAT(p(1), WithinAbs(0.008, 0.003));
}

TEST_CASE("pairs won are judged by their number alone", "[gate]") {
  const auto verdict = [](int won, int lost, double size) {
    Scores a, b;
    for (int i = 0; i < won + lost; ++i) a.push_back(100.0), b.push_back(i < lost ? 100.0 + size : 99.999);
    GateSuite suite{.baseline = "a", .candidate = "b", .claims = {claim_of(a, b)}, .differences = {}, .notes = {}};
    return judge_suite(suite, by(GateTest::win)).claims[0];
  };
  const auto lost = verdict(0, 10, 50);
  CHECK(lost.test == "win");
  CHECK_THAT(lost.p_worse.value(), WithinRel(std::exp2(-10), 1e-12));  // closed form
  CHECK_THAT(lost.p_better.value(), WithinRel(1.0, 1e-12));
  CHECK(lost.verdict == "regressed");
  CHECK(verdict(10, 0, 50).verdict == "improved");  // by next to nothing, and in every pair
  // P(Bin(20, .75) <= 11) = .041, P(<= 12) = .102: with 12 lost of 20 a share of .75 is possible.
  CHECK(verdict(9, 11, 50).reason == "not_meaningful");
  CHECK(verdict(9, 11, 50).verdict == "no_worse");
  CHECK(verdict(8, 12, 50).verdict == "inconclusive");
  CHECK(!lost.mde.has_value());
}

TEST_CASE("pairs needed for a margin, by spread and number of claims", "[gate]") {
  // Deviations of -2, -1, 0, 1, 2: their median size is 1, so that the spread is 1.4826.
  const auto needed = [](double sigma, int claims) {
    GateSuite suite{.baseline = "a", .candidate = "b", .claims = {}, .differences = {}, .notes = {}};
    Scores values;
    for (const int i : {-2, -1, 0, 1, 2}) values.push_back(std::exp(i * sigma / 1.4826));
    for (int i = 0; i < claims; ++i) {
      suite.claims.push_back(claim_of(values, values));
      suite.claims.back().workload = std::to_string(100 + i);
    }
    return judge_suite(suite, by(GateTest::rank)).claims[0].pairs_needed.value();
  };
  CHECK(needed(0.02, 6) == 7);
  CHECK(needed(0.001, 50) == 8);  // fewer could not reach the level
}

}  // namespace retrial::tests::claim_test_tests
