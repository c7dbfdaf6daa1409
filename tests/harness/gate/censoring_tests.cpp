// Times to a target of which some were cut off.
#include "harness/gate/censoring.hpp"

#include <cmath>
#include <limits>

#include "harness/gate/claim_test.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::censoring_tests {

using namespace retrial::harness;
using variance::ScoreBound;

namespace {

struct Time {
  double value;
  ScoreBound bound = ScoreBound::exact;
};
constexpr ScoreBound cut = ScoreBound::at_least;

GateClaim times(const std::vector<Time>& a, const std::vector<Time>& b) {
  GateClaim out{.workload = "w", .metric = "epochs_to_target", .absolute = true};
  for (const std::size_t side : {base, head})
    for (const Time& time : side == base ? a : b)
      out.trials[side].push_back({.values = {time.value}, .bound = time.bound, .pair = std::ssize(out.trials[side])});
  return out;
}

GateVerdict judged(const GateClaim& claim) {
  GateSettings settings;
  settings.allow_sequential = true, settings.min_effect_abs = 0.0, settings.margin_abs = 0.0;
  return test_claim(claim, settings).verdict;
}

}  // namespace

TEST_CASE("a run that did not reach its target is behind every run that did") {
  // Eight of sixteen ranks, the four that were cut among themselves level: C(8, 4) = 70 orders, of which one is this.
  const auto claim = times({{1}, {2}, {3}, {4}}, {{10, cut}, {10, cut}, {10, cut}, {9}});
  const auto verdict = judged(claim);
  CHECK(verdict.test == "rank");
  CHECK(verdict.p_worse.value() == Approx(1.0 / 70));
  CHECK(verdict.p_better.value() == Approx(1.0));
  CHECK(verdict.median[base].value() == 2.5);
  CHECK(std::isinf(verdict.median[head].value()));
  REQUIRE(verdict.warnings.size() == 1);
  CHECK(verdict.warnings[0] == "reached by 4 of 4 against 1 of 4 processes; the others are ranked behind them, at 10");
  CHECK(verdict.failures == std::array<std::int64_t, 2>{0, 0});
}

TEST_CASE("the size of a limit changes nothing") {
  const auto at = [](double limit) {
    return judged(times({{1}, {4}, {limit, cut}}, {{2}, {3}, {limit, cut}})).p_worse;
  };
  CHECK(at(10).value() == at(1e9).value());
}

TEST_CASE("where limits differ, both sides are cut at the nearer one") {
  // The candidate ran to 20 and reached its target at 12 and 15; the baseline was stopped at 10: level with it.
  const auto verdict = judged(times({{1}, {2}, {10, cut}, {10, cut}}, {{1}, {2}, {12}, {15}}));
  CHECK(verdict.p_worse.value() ==
        judged(times({{1}, {2}, {10, cut}, {10, cut}}, {{1}, {2}, {10, cut}, {10, cut}})).p_worse);
  const auto differ = judged(times({{1}, {2}, {10, cut}, {10, cut}}, {{1}, {2}, {15}, {20, cut}}));
  CHECK(differ.p_worse.value() == verdict.p_worse.value());
  REQUIRE(differ.warnings.size() == 2);
  CHECK(differ.warnings[1] == "the limits differ, up to 20: both sides are cut at the nearer one");
}

TEST_CASE("where nothing reached its target, or a bound is on the better side, there is no verdict") {
  const auto none = judged(times({{10, cut}, {10, cut}}, {{10, cut}, {10, cut}}));
  CHECK(none.verdict == "failed");
  CHECK(none.reason == "no process reached its target");
  const auto lost = judged(times({{1}, {2}, {3}}, {{10, cut}, {10, cut}, {10, cut}}));
  CHECK(lost.p_worse.value() == Approx(1.0 / 20));
  CHECK(std::isinf(lost.effect.value()));
  const auto better = judged(times({{1}, {2}}, {{3}, {4, ScoreBound::at_most}}));
  CHECK(better.verdict == "failed");
  CHECK(better.reason == "a value is only a bound on its better side, which has no rank");
  auto accuracy = times({{5}, {6}}, {{7}, {4, ScoreBound::at_most}});
  accuracy.direction = variance::Direction::higher;  // at most 4 is the worse side of an accuracy
  CHECK(judged(accuracy).verdict.empty());
  CHECK(censored(times({{1}}, {{2}}), Statistic::automatic).notes.empty());
}

}  // namespace retrial::tests::censoring_tests
