// Pairs of processes: signed ranks by another program, and counts that repeat.
#include <algorithm>

#include "tests/harness/gate/judged_suites.hpp"

namespace retrial::tests::paired_claim_tests {

using namespace judged_suites;

TEST_CASE("pairs of shared seeds are judged by signed ranks", "[gate]") {
  const Scores a{.910, .905, .912, .908, .915, .903, .909, .911, .907, .906},
      b{.918, .909, .915, .917, .914, .910, .914, .921, .909, .912};
  GateClaim claim = claim_of("", a, b);
  claim.direction = variance::Direction::higher;
  for (auto& side : claim.trials)
    for (std::size_t i = 0; i < side.size(); ++i) side[i].pair = static_cast<std::int64_t>(i);
  GateSettings settings = any_order();
  claim.absolute = true, settings.min_effect_abs = 0.001, settings.margin_abs = 0.01;
  const GateVerdict found = judge_suite(suite_of({claim}), settings).claims[0];
  CHECK(found.test == "paired");
  CHECK_THAT(found.p_better.value(), WithinRel(1.0 / 512, 1e-9));
  CHECK_THAT(found.effect.value(), WithinAbs(0.0055, 1e-12));
  CHECK(found.verdict == "improved");
  check_interval(found.ci95, 0.003, 0.008);
  check_interval(found.ci90, 0.003, 0.0075);
}

TEST_CASE("counts that repeat are judged by their change alone, in any order", "[gate]") {
  const auto counted = [](const Scores& a, const Scores& b, GateSettings settings = {}) {
    GateClaim claim = claim_of("c", a, b);
    claim.metric = "instructions", claim.test = GateTest::counts;
    for (auto& side : claim.trials)
      for (std::size_t i = 0; i < side.size(); ++i) side[i].pair = static_cast<std::int64_t>(i);
    settings.min_effect = 0.005;
    return judge_suite(suite_of({claim}), settings).claims[0];
  };
  const GateVerdict worse = counted({1000000, 1000010, 1000000}, {1010000, 1010000, 1010012});
  CHECK(worse.verdict == "regressed");
  CHECK(worse.test == "counts");
  CHECK(worse.tested());
  CHECK_FALSE(worse.p_worse);
  CHECK_THAT(worse.effect.value(), WithinAbs(0.01, 1e-12));  // the median of 1.01, 1.00999, 1.010012 to one
  check_interval(worse.ci95, 1010000.0 / 1000010.0 - 1.0, 0.010012);
  CHECK(std::ranges::find(worse.warnings, not_time) != worse.warnings.end());
  CHECK(counted({1000000, 1000000, 1000000}, {990000, 990000, 990000}).verdict == "improved");
  CHECK(counted({1000000, 1000000, 1000000}, {1004000, 1004000, 1004000}).verdict == "equivalent");
  CHECK(counted({1000000, 1000000}, {1000000, 1000000}).verdict == "equivalent");
  // Beyond a tenth of the least effect they do not repeat: ranks decide, and three pairs are too few to reject.
  const GateVerdict noisy = counted({1000000, 1001000, 1000000}, {1010000, 1010000, 1012000});
  CHECK(noisy.test == "rank");
  CHECK_THAT(noisy.p_worse.value(), WithinRel(1.0 / 20, 1e-9));
  CHECK(noisy.verdict != "regressed");
  CHECK(counted({1000000}, {1010000}).verdict == "inconclusive");
  CHECK(counted({0, 0, 0}, {10, 10, 10}).verdict == "failed");
}

TEST_CASE("counts cost the other claims nothing of their error rate", "[gate]") {
  GateClaim counts = claim_of("counts", {5, 5, 5}, {5, 5, 5});
  counts.test = GateTest::counts;
  for (auto& side : counts.trials)
    for (std::size_t i = 0; i < side.size(); ++i) side[i].pair = static_cast<std::int64_t>(i);
  const GateResult found = judge_suite(suite_of({counts, claim_of("gemm", gemm_a, gemm_b)}), any_order());
  CHECK(of(found, "counts").test == "counts");
  CHECK_THAT(of(found, "gemm").p_worse_adjusted.value(), WithinRel(1.0 / 184756, 1e-9));
}

}  // namespace retrial::tests::paired_claim_tests
