// The order of the processes decides whether a difference is evidence.
#include "harness/gate/schedule.hpp"

#include <cmath>

#include "tests/harness/gate/judged_suites.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::schedule_tests {

using namespace judged_suites;

TEST_CASE("A then B is no evidence, turns are", "[gate]") {
  const auto started = [](bool turns) {
    GateClaim claim = claim_of("gemm", gemm_a, gemm_b);
    for (std::size_t i = 0; i < 10; ++i) {
      const auto at = static_cast<std::int64_t>(2 * i), swap = static_cast<std::int64_t>(i % 2);
      claim.trials[base][i].started = turns ? at + swap : static_cast<std::int64_t>(i);
      claim.trials[head][i].started = turns ? at + 1 - swap : static_cast<std::int64_t>(100 + i);
    }
    return judge_suite(suite_of({claim}), GateSettings{}).claims[0];
  };
  CHECK(started(true).verdict == "regressed");
  CHECK(started(true).order == "interleaved");
  CHECK(started(false).verdict == "inconclusive");
  CHECK(started(false).reason == "sequential_design");
  CHECK(judge_suite(suite_of({claim_of("gemm", gemm_a, gemm_b)}), GateSettings{}).claims[0].order == "unknown");
  // A A B B, B B A A, ...: each side is first in turn, but no two of a pair are next to each other.
  GateClaim twos = claim_of("gemm", gemm_a, gemm_b);
  for (std::size_t i = 0; i < 10; ++i) {
    const auto four = static_cast<std::int64_t>(4 * (i / 2)), place = static_cast<std::int64_t>(i % 2);
    const bool base_first = (i / 2) % 2 == 0;
    twos.trials[base][i].started = four + place + (base_first ? 0 : 2);
    twos.trials[head][i].started = four + place + (base_first ? 2 : 0);
  }
  CHECK(judge_suite(suite_of({twos}), GateSettings{}).claims[0].order == "sequential");
}

TEST_CASE("a drift of 1 % per process: turns keep the error rate, A then B is no evidence", "[gate]") {
  // Both sides are one program. The values of process i of a block are 1.01^i, with 2 % of noise.
  std::int64_t alarms = 0, sequential = 0, drifts = 0;
  for (std::uint64_t block = 0; block < 1000; ++block) {
    variance::Stream noise(variance::derive(7, block));
    const auto order = variance::permutation(variance::derive(8, block), 10);
    GateClaim turns{.workload = "x", .metric = "time", .unit = "s"}, after = turns;
    for (std::size_t i = 0; i < 20; ++i) {
      const double value = std::pow(1.01, static_cast<double>(i)) * (1.0 + 0.02 * variance::uniform(noise.next()));
      const GateTrial trial{.values = {value}, .started = static_cast<std::int64_t>(i)};
      turns.trials[(order[i / 2] < 5) == (i % 2 == 1) ? base : head].push_back(trial);
      after.trials[i < 10 ? base : head].push_back(trial);
    }
    alarms += judge_suite(suite_of({turns}), {}).count("regressed");
    const GateVerdict found = judge_suite(suite_of({after}), {}).claims[0];
    sequential += found.reason == "sequential_design" ? 1 : 0;
    drifts += judge_suite(suite_of({after}), any_order()).count("regressed");
  }
  CHECK(alarms <= 20);        // alpha .01 of 1,000: 10 expected at most, 20 are beyond three standard deviations
  CHECK(sequential == 1000);  // every drift looks like a change, and none is called one
  CHECK(drifts == 1000);      // the control: what --allow-sequential would make of it
}

}  // namespace retrial::tests::schedule_tests
