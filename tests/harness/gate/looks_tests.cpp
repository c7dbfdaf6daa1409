#include "harness/gate/looks.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::looks_tests {

using namespace retrial::harness;

namespace {

/// Values of 20 pairs with a spread of 2 %, the candidate `slower`, and the four looks at them.
struct Looked {
  std::int64_t pairs = 0;
  std::string verdict;
};

double normal(variance::Stream& stream) {
  return variance::quantile(variance::uniform_open(stream.next()));
}

Looked looked_at(std::uint64_t run, double slower) {
  variance::Stream stream(variance::derive(variance::derive(5, "looks"), run));
  GateSettings settings;
  settings.test = GateTest::rank, settings.allow_sequential = true;
  LookedSuite suite(settings, 4);
  GateClaim claim{.workload = "x", .metric = "time", .unit = "s"};
  for (const std::int64_t look : {7, 10, 14, 20}) {
    while (std::ssize(claim.trials[base]) < look) {
      claim.trials[base].push_back({.values = {std::exp(0.02 * normal(stream))}});
      claim.trials[head].push_back({.values = {(1.0 + slower) * std::exp(0.02 * normal(stream))}});
    }
    const bool closed =
        suite.look({.baseline = "A", .candidate = "B", .claims = {claim}, .differences = {}, .notes = {}});
    if (closed || look == 20) return {look, suite.result().claims[0].verdict};
  }
  return {};
}

}  // namespace

TEST_CASE("four looks: a clear change ends early, none is rarely found where there is none", "[gate]") {
  // By another program, 1,500 runs: +5 % is always found, after 7.8 pairs on average; without a change .3 % are
  // rejected.
  constexpr std::uint64_t runs = 400;
  double pairs = 0;
  std::int64_t found = 0, alarms = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const Looked five = looked_at(run, 0.05);
    pairs += static_cast<double>(five.pairs), found += five.verdict == "regressed" ? 1 : 0;
    alarms += looked_at(runs + run, 0.0).verdict == "regressed" ? 1 : 0;
  }
  CHECK(found >= 396);
  CHECK_THAT(pairs / runs, WithinAbs(7.8, 0.4));
  CHECK(alarms <= 6);
}

TEST_CASE("a claim keeps the verdict of the look that decided it", "[gate]") {
  const auto suite_of = [](const std::vector<double>& sure, const std::vector<double>& open) {
    GateSuite out{.baseline = "A", .candidate = "B", .claims = {}, .differences = {}, .notes = {}};
    for (const auto& [name, values] : {std::pair{"open", open}, {"sure", sure}}) {
      GateClaim claim{.workload = name, .metric = "time", .unit = "s"};
      for (std::size_t i = 0; i < values.size(); ++i) {
        claim.trials[base].push_back({.values = {1.0 + 0.001 * static_cast<double>(i)}});
        claim.trials[head].push_back({.values = {values[i]}});
      }
      out.claims.push_back(claim);
    }
    return out;
  };
  GateSettings settings;
  settings.allow_sequential = true;
  LookedSuite looked(settings, 4);
  const std::vector<double> slow(8, 1.2), wild{0.8, 1.3, 0.7, 1.2, 0.9, 1.1, 1.4, 0.8};
  CHECK_FALSE(looked.look(suite_of(slow, wild)));
  const std::vector<double> same{1.0, 1.001, 1.002, 1.003, 1.004, 1.005, 1.006, 1.007};
  CHECK_FALSE(looked.look(suite_of(same, wild)));  // alone it would be equivalent
  const GateResult result = looked.result();
  CHECK(result.claims[0].reason == "undecided_at_max_pairs");
  CHECK(result.claims[1].verdict == "regressed");
  CHECK(result.exit == 1);
}

}  // namespace retrial::tests::looks_tests
