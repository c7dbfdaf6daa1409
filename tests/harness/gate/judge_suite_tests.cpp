// Reference values: exact rank laws and order statistics by another program.
#include <cmath>

#include "tests/harness/gate/judged_suites.hpp"

namespace retrial::tests::judge_suite_tests {

using namespace judged_suites;

TEST_CASE("a suite of four: one regressed, one improved, one equivalent, one too noisy", "[gate]") {
  const GateResult result = judge_suite(first_suite(), any_order());
  CHECK(result.verdict == "regressed");
  CHECK(result.exit == 1);
  const GateVerdict& chase = of(result, "chase");
  CHECK(chase.verdict == "inconclusive");
  CHECK(chase.reason == "noise");
  CHECK(chase.pairs_needed == 25);
  CHECK_THAT(chase.p_worse.value(), WithinRel(22859.0 / 184756, 1e-9));
  CHECK_THAT(chase.p_better.value(), WithinRel(0.8912186884, 1e-9));
  CHECK_THAT(chase.p_worse_adjusted.value(), WithinRel(0.3711760376, 1e-9));
  CHECK_THAT(chase.effect.value(), WithinAbs(0.0241492952, 1e-9));
  CHECK_THAT(chase.mde.value(), WithinAbs(0.0789065732, 1e-9));
  check_interval(chase.ci95, -0.0250102688, 0.0695089022);
  check_interval(chase.ci90, -0.0094906524, 0.0533763960);
  const GateVerdict& gemm = of(result, "gemm");
  CHECK(gemm.verdict == "regressed");
  CHECK_THAT(gemm.p_worse_adjusted.value(), WithinRel(4.0 / 184756, 1e-9));
  CHECK_THAT(gemm.effect.value(), WithinAbs(0.0732943458, 1e-9));
  CHECK_THAT(gemm.mde.value(), WithinAbs(0.0106421994, 1e-9));
  check_interval(gemm.ci95, 0.0664355864, 0.0795069082);
  const GateVerdict& sort = of(result, "sort");
  CHECK(sort.verdict == "improved");
  CHECK_THAT(sort.p_better_adjusted.value(), WithinRel(4.0 / 184756, 1e-9));
  check_interval(sort.ci90, -0.0605463250, -0.0553021665);
  const GateVerdict& stream = of(result, "stream");
  CHECK(stream.verdict == "equivalent");
  CHECK_THAT(stream.p_worse.value(), WithinRel(15661.0 / 16796, 1e-9));
  CHECK_THAT(stream.p_better_adjusted.value(), WithinRel(0.2204583342, 1e-9));
  CHECK(result.worst_first().front()->workload == "gemm");
}

TEST_CASE("without the regression the suite is inconclusive, unless that may pass", "[gate]") {
  GateSuite suite = first_suite();
  suite.claims.erase(suite.claims.begin() + 1);
  CHECK(judge_suite(suite, any_order()).exit == 3);
  GateSettings warn = any_order();
  warn.inconclusive = "warn";
  const GateResult warned = judge_suite(suite, warn);
  CHECK(warned.exit == 0);
  CHECK(warned.warnings.size() == 1);
}

TEST_CASE("an interval that leaves the margin on the better side only is no worse, not equivalent", "[gate]") {
  // The sides of "chase" exchanged: its interval of 90 %, in logarithms, ends at -ln 1.0533763960 < -ln 1.05.
  const GateVerdict found = judge_suite(suite_of({claim_of("chase", chase_b, chase_a)}), any_order()).claims[0];
  CHECK(found.verdict == "no_worse");
  CHECK_THAT(found.ci90->low.value(), WithinAbs(1.0 / 1.0533763960 - 1.0, 1e-9));
}

TEST_CASE("a larger least effect makes a small sure change equivalent", "[gate]") {
  const Scores a{1.505, 1.504, 1.507, 1.507, 1.511, 1.508, 1.502, 1.506},
      b{1.53, 1.539, 1.54, 1.545, 1.531, 1.546, 1.535, 1.536};
  GateSettings settings = any_order();
  CHECK(of(judge_suite(suite_of({claim_of("scan", a, b)}), settings), "scan").verdict == "regressed");
  settings.min_effect = 0.03;
  CHECK(of(judge_suite(suite_of({claim_of("scan", a, b)}), settings), "scan").verdict == "equivalent");
}

TEST_CASE("higher is better turns the verdicts and keeps the effect", "[gate]") {
  GateSuite suite = suite_of({claim_of("gemm", gemm_a, gemm_b)});
  suite.claims[0].direction = variance::Direction::higher;
  const GateResult result = judge_suite(suite, any_order());
  CHECK(result.claims[0].verdict == "improved");
  CHECK(result.exit == 0);
  CHECK_THAT(result.claims[0].effect.value(), WithinAbs(0.0732943458, 1e-9));
}

TEST_CASE("twenty repetitions in one process are one value", "[gate]") {
  GateClaim claim{.workload = "gemm", .metric = "time"};
  claim.trials[base] = {{.values = Scores(20, 12.0)}};
  claim.trials[head] = {{.values = Scores(20, 15.0)}};
  const GateResult result = judge_suite(suite_of({claim}), any_order());
  CHECK(result.claims[0].verdict == "inconclusive");
  CHECK(result.claims[0].reason == "too_few_trials");
  CHECK(result.exit == 3);
}

TEST_CASE("a design that cannot reject says so, and how many pairs could", "[gate]") {
  const Scores a{10, 11, 12}, b{20, 21, 22};
  const GateResult result = judge_suite(suite_of({claim_of("x", a, b)}), any_order());
  CHECK(result.claims[0].reason == "design_cannot_reject");
  CHECK(result.claims[0].pairs_needed.value() >= 5);  // 1/C(10, 5) is the first p below .01
  CHECK(std::isinf(result.claims[0].mde.value()));
}

TEST_CASE("what is missing, new, zero or failed never passes", "[gate]") {
  const Scores same{10.0, 10.1, 9.9, 10.05, 9.95, 10.02, 9.98, 10.01, 10.03, 9.97};
  const GateClaim good = claim_of("good", same, same);
  const auto with = [&](const GateClaim& other) { return judge_suite(suite_of({good, other}), any_order()); };

  const GateResult gone = with(claim_of("old", same, {}));
  CHECK(of(gone, "old").verdict == "missing");
  CHECK(gone.exit == 4);
  const GateResult renamed =
      judge_suite(suite_of({good, claim_of("sort", same, {}), claim_of("sort/stable", {}, same)}), any_order());
  CHECK(of(renamed, "sort").reason == "removed or renamed: is it sort/stable?");
  CHECK(of(renamed, "sort/stable").verdict == "new");
  CHECK(renamed.exit == 4);
  const GateResult added = with(claim_of("fresh", {}, same));
  CHECK(of(added, "fresh").verdict == "new");
  CHECK(added.exit == 0);
  const GateResult only_new = judge_suite(suite_of({claim_of("fresh", {}, same)}), any_order());
  CHECK(only_new.verdict == "missing");
  CHECK(only_new.exit == 4);
  CHECK(judge_suite(suite_of({}), any_order()).exit == 4);

  Scores zero = same;
  zero[3] = 0.0;
  const GateResult zeros = with(claim_of("zero", zero, same));
  CHECK(of(zeros, "zero").verdict == "failed");
  CHECK(of(zeros, "zero").reason == "nonpositive_value");
  CHECK(zeros.exit == 5);
  GateClaim crashed = claim_of("crash", same, same);
  crashed.trials[head][2] = {.values = {}, .failed = true};
  CHECK(with(crashed).exit == 5);
  GateSettings loss = any_order();
  loss.failure = GateFailure::loss;
  CHECK(judge_suite(suite_of({good, crashed}), loss).exit != 5);
  for (GateTrial& trial : crashed.trials[head]) trial = {.values = {}, .failed = true};
  CHECK(judge_suite(suite_of({good, crashed}), loss).exit == 5);
}

TEST_CASE("a regression stays true whatever else is missing", "[gate]") {
  GateSuite suite = first_suite();
  suite.claims.push_back(claim_of("zzz", gemm_a, {}));
  CHECK(judge_suite(suite, any_order()).exit == 1);
}

TEST_CASE("256 regressions end with 1, improvements alone with 0", "[gate]") {
  std::vector<GateClaim> worse, better;
  for (int i = 0; i < 256; ++i) {
    worse.push_back(claim_of("w" + std::to_string(1000 + i), gemm_a, gemm_b));
    better.push_back(claim_of("b" + std::to_string(1000 + i), gemm_b, gemm_a));
  }
  const GateResult down = judge_suite(suite_of(worse), any_order());
  CHECK(down.count("regressed") == 256);
  CHECK(down.exit == 1);
  const GateResult up = judge_suite(suite_of(better), any_order());
  CHECK(up.count("improved") == 256);
  CHECK(up.exit == 0);
}

TEST_CASE("values that are all the same are equivalent with a warning", "[gate]") {
  const GateResult result = judge_suite(suite_of({claim_of("x", Scores(5, 7.0), Scores(5, 7.0))}), any_order());
  CHECK(result.claims[0].verdict == "equivalent");
  CHECK(result.claims[0].warnings.size() == 1);
}

TEST_CASE("another machine makes claims incomparable, unless its difference is allowed", "[gate]") {
  GateSuite suite = first_suite();
  suite.differences = {{"host_name", "a", "b"}};
  const GateResult refused = judge_suite(suite, any_order());
  CHECK(refused.verdict == "incomparable");
  CHECK(refused.exit == 4);
  GateSettings allowed = any_order();
  allowed.allow_diff = {"host_name"};
  CHECK(judge_suite(suite, allowed).exit == 1);
}

TEST_CASE("a suite that stayed is regressed when its candidate is slowed down", "[gate]") {
  const GateSuite same = suite_of({claim_of("gemm", gemm_a, gemm_a), claim_of("stream", stream_a, stream_b)});
  CHECK(judge_suite(same, any_order()).exit == 0);
  const GateResult slow = judge_suite(slowed_down(same, 0.2), any_order());
  CHECK(slow.count("regressed") == 2);
  CHECK_THAT(of(slow, "gemm").effect.value(), WithinAbs(0.2, 1e-9));
}

TEST_CASE("a least effect above a half is called what it is", "[gate]") {
  GateSettings settings = any_order();
  settings.min_effect = 1.0, settings.margin = 2.0;
  const auto warnings = judge_suite(first_suite(), settings).warnings;
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find("cannot see a 50 % slow-down") != std::string::npos);
}

TEST_CASE("a second suite, and a larger least effect", "[gate]") {
  const GateSuite suite = suite_of({
      claim_of("conv", {25.201, 25.333, 25.062, 25.105, 25.286, 25.027, 25.139, 25.197},
               {25.922, 26.203, 26.063, 26.027, 26.085, 26.044, 25.916, 26.053}),
      claim_of("hash", {9.002, 9.016, 9.057, 9.021, 9.059, 9.073, 9.012, 9.06},
               {9.033, 9.034, 9.072, 9.084, 9.06, 9.08, 9.038, 9.066}),
      claim_of("lstm", {62.481, 60.718, 60.341, 60.038, 61.107, 60.66, 60.275, 73.819},
               {72.935, 60.011, 58.737, 59.865, 60.256, 59.078, 60.12, 71.53}),
      claim_of("scan", {1.505, 1.504, 1.507, 1.507, 1.511, 1.508, 1.502, 1.506},
               {1.53, 1.539, 1.54, 1.545, 1.531, 1.546, 1.535, 1.536}),
      claim_of("topk", {4.043, 4.004, 4.058, 4.024, 4.07, 4.037, 4.039, 4.149},
               {4.601, 4.737, 4.783, 5.743, 5.739, 4.728, 4.603, 4.77}),
  });
  const GateResult found = judge_suite(suite, any_order());
  struct Row {
    const char* name;
    double p, adjusted, effect;
    const char* verdict;
  };
  for (const Row& row : {Row{"conv", 1.0 / 12870, 5.0 / 12870, 0.0343558640, "regressed"},
                         Row{"hash", 284.0 / 6435, 0.0882672883, 0.0022628196, "equivalent"},
                         Row{"lstm", 2056.0 / 2145, 0.9585081585, -0.0118096290, "equivalent"},
                         Row{"scan", 1.0 / 12870, 5.0 / 12870, 0.0209158853, "regressed"},
                         Row{"topk", 1.0 / 12870, 5.0 / 12870, 0.1750672809, "regressed"}}) {
    INFO(row.name);
    const GateVerdict& claim = of(found, row.name);
    CHECK_THAT(claim.p_worse.value(), WithinRel(row.p, 1e-9));
    CHECK_THAT(claim.p_worse_adjusted.value(), WithinRel(row.adjusted, 1e-9));
    CHECK_THAT(claim.effect.value(), WithinAbs(row.effect, 1e-10));
    CHECK(claim.verdict == row.verdict);
  }
  CHECK_THAT(of(found, "lstm").ci90->high.value(), WithinAbs(0.0013658017, 1e-10));
  CHECK_THAT(of(found, "hash").ci90->high.value(), WithinAbs(0.0055456965, 1e-10));
  GateSettings larger = any_order();
  larger.min_effect = 0.03;
  CHECK(of(judge_suite(suite, larger), "scan").verdict == "equivalent");
}

TEST_CASE("counts of two counters are incomparable", "[gate]") {
  GateClaim claim = claim_of("c", gemm_a, gemm_b);
  claim.incomparable = "counted by cachegrind and perf";
  const GateResult found = judge_suite(suite_of({claim, claim_of("d", gemm_a, gemm_a)}), any_order());
  CHECK(of(found, "c").verdict == "incomparable");
  CHECK(of(found, "c").reason == "counted by cachegrind and perf");
  CHECK(found.exit == 4);
}

TEST_CASE("a value that is no number fails its claim", "[gate]") {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    Scores values = gemm_b;
    values[4] = bad;
    const GateResult found = judge_suite(suite_of({claim_of("c", gemm_a, values)}), any_order());
    CHECK(found.claims[0].verdict == "failed");
    CHECK(found.exit == 5);
  }
}

TEST_CASE("a change of time that is one of the clock of the GPU is no verdict", "[gate]") {
  const auto judged = [](const Scores& a, const Scores& b, double mhz_a, double mhz_b, bool all = true) {
    GateClaim claim = claim_of("kernel", a, b);
    for (const std::size_t side : {base, head})
      for (GateTrial& trial : claim.trials[side]) trial.clock_mhz = side == base ? mhz_a : mhz_b;
    if (!all) claim.trials[head].back().clock_mhz.reset();
    return judge_suite(suite_of({claim}), any_order()).claims.front();
  };
  CHECK(judged(gemm_a, gemm_b, 1500, 1500).verdict == "regressed");
  const GateVerdict slow_card = judged(gemm_a, gemm_b, 1500, 1350);  // 7 % more time, 3 % fewer cycles
  CHECK(slow_card.verdict == "inconclusive");
  CHECK(slow_card.reason == "clock_disagreement");
  CHECK(judged(gemm_a, gemm_b, 1500, 1350, false).verdict == "regressed");  // a clock is unknown
  CHECK(judged(sort_a, sort_b, 1500, 1500).verdict == "improved");
  CHECK(judged(sort_a, sort_b, 1500, 1650).reason == "clock_disagreement");  // 6 % less time, 4 % more cycles
  // Times alone see nothing, cycles a change against their sign.
  const Scores flat_b{3.512, 3.505, 3.531, 3.503, 3.52, 3.536, 3.53, 3.518, 3.52, 3.531};
  CHECK(judged(stream_a, flat_b, 1500, 1500).verdict == "equivalent");
  CHECK(judged(stream_a, flat_b, 1500, 1650).reason == "clock_disagreement");
}

}  // namespace retrial::tests::judge_suite_tests
