// Reference values: the same rule by another program.
#include "harness/gate/calibration/calibration.hpp"
#include "tests/catch.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::calibration_tests {

using namespace retrial::harness;
using Counts = std::vector<std::int64_t>;

namespace {

/// v_i = 1 + 0.1 u_i with the uniforms of one stream.
GateSuite pool_of(std::uint64_t key, std::size_t count) {
  variance::Stream stream(key);
  GateClaim claim{.workload = "w", .metric = "time", .unit = "s"};
  for (std::size_t i = 0; i < count; ++i)
    claim.trials[base].push_back(
        {.values = {1.0 + 0.1 * variance::uniform(stream.next())}, .started = static_cast<std::int64_t>(i)});
  return {.baseline = "A", .candidate = "A", .claims = {claim}, .differences = {}, .notes = {}};
}

GateSettings settings_of(double min_effect) {
  GateSettings out;
  out.alpha = 0.05, out.min_effect = min_effect, out.margin = 0.0;
  out.test = GateTest::rank, out.allow_sequential = true;
  return out;
}

}  // namespace

TEST_CASE("alarms per block of a synthetic pool", "[gate]") {
  const GateSuite pool = pool_of(1, 60);
  CHECK_THAT(pool.claims[0].trials[base][0].values[0], WithinAbs(1.0478561946601552, 1e-15));
  CHECK(calibrated(pool, settings_of(0.0), 5, 16, 42).alarms == Counts{0, 0, 0, 1, 0, 0});
  CHECK(calibrated(pool_of(11, 80), settings_of(0.0), 4, 16, 7).alarms == Counts{0, 0, 1, 0, 0, 0, 0, 0, 3, 0});
  CHECK(calibrated(pool_of(3, 120), settings_of(0.01), 6, 32, 42).alarms == Counts{0, 0, 4, 0, 5, 0, 0, 2, 0, 5});
}

TEST_CASE("a rate has one-sided bounds by Clopper and Pearson", "[gate]") {
  const auto bounds = [](std::int64_t alarms, std::int64_t blocks) {
    Calibration out{
        .blocks = blocks, .assignments = 1, .alarms = Counts(static_cast<std::size_t>(blocks), 0), .claims = {}};
    for (std::int64_t i = 0; i < alarms; ++i) out.alarms[static_cast<std::size_t>(i)] = 1;
    return out.rate(1);
  };
  CHECK_THAT(bounds(12, 1000).high, WithinAbs(0.019370, 5e-7));
  CHECK_THAT(bounds(13, 1000).high, WithinAbs(0.020589, 5e-7));
  CHECK_THAT(bounds(17, 1000).low, WithinRel(0.010860306, 1e-7));
  CHECK_THAT(bounds(17, 1000).high, WithinRel(0.025390749, 1e-7));
  CHECK_THAT(bounds(1, 50).high, WithinRel(0.0913981307, 1e-7));
  CHECK_THAT(bounds(7, 2000).high, WithinRel(0.0065639549, 1e-7));
}

TEST_CASE("two sides that were both run are judged block by block", "[gate]") {
  GateSuite sides = pool_of(1, 0);
  variance::Stream stream(5);
  constexpr std::int64_t pairs = 6, blocks = 4;
  for (std::int64_t pair = 0; pair < pairs * blocks; ++pair)
    for (const std::size_t side : {base, head}) {
      const bool slower = side == head && pair / pairs == 2;  // in the third block alone
      sides.claims[0].trials[side].push_back(
          {.values = {(slower ? 1.3 : 1.0) + 0.1 * variance::uniform(stream.next())}, .pair = pair});
    }
  const Calibration found = judged_blocks(sides, settings_of(0.01), pairs);
  CHECK(found.blocks == blocks);
  CHECK(found.alarms == Counts{0, 0, 1, 0});
  CHECK(found.claims[0].alarms == 1);
  CHECK(judged_blocks(sides, settings_of(0.01), 5).blocks == 4);  // 24 pairs: a rest of 4 is no suite
}

TEST_CASE("a slow-down beyond the noise is found in every block", "[gate]") {
  const Calibration found = calibrated(pool_of(3, 120), settings_of(0.01), 6, 1, 42, 0.5);
  CHECK(found.alarm_count() == 10);
  CHECK(found.rate(42).rate == 1.0);
}

}  // namespace retrial::tests::calibration_tests
