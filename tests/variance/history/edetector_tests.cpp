#include "variance/history/edetector.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::edetector_tests {

// Run lengths and delays of an independent simulation (the specification of the variance layer).

using namespace retrial::variance;

namespace {
/// Updates until the alarm when a block is lost with probability p (sign), or z ~ N(p, 1).
double run_length(const Detector& detector, double p, std::uint64_t series) {
  Stream draws(derive(13, "run"), series);
  DetectorState state;
  for (double n = 1;; ++n) {
    const bool sign = detector.evidence == DetectorEvidence::paired_sign;
    const double x = sign ? (uniform(draws.next()) < p ? 1.0 : -1.0) : normal(draws.next()) + p;
    auto step = update(detector, state, {x});
    if (step.alarm) return n;
    state = std::move(step.state);
  }
}

double mean_length(const Detector& detector, double p, std::uint64_t series) {
  double sum = 0;
  for (std::uint64_t i = 0; i < series; ++i) sum += run_length(detector, p, i);
  return sum / static_cast<double>(series);
}
}  // namespace

TEST_CASE("the Shiryaev-Roberts recursion") {
  // e-values .8, 1.5, .6, 2, 2.5, 3 as bets on costs with one effect: e = 1 + 2 (x - 1/4) needs x in [0, 1].
  const Detector detector{.evidence = DetectorEvidence::normal_known, .run_length = 1000, .effects = {1.0}};
  DetectorState state;
  const std::vector<double> e{.8, 1.5, .6, 2, 2.5, 3}, expected{.8, 2.7, 2.22, 6.44, 18.6, 58.8};
  for (std::size_t i = 0; i < e.size(); ++i) {
    const auto step = update(detector, state, {std::log(e[i]) + .5});  // exp(x - 1/2) = e
    CHECK_THAT(step.level, WithinAbs(expected[i], 1e-9));
    state = step.state;
  }
  CHECK(state.updates == 6);
}

TEST_CASE("false alarms come no oftener than declared, and changes are seen") {
  const Detector sign;
  const double quiet = mean_length(sign, .5, 1000);
  CHECK_THAT(quiet, WithinAbs(1176, 130));  // three and a half standard errors
  CHECK(quiet >= 1000 - 110);
  CHECK_THAT(mean_length(sign, .8413447, 1500), WithinAbs(22.5, 1.0));
  CHECK_THAT(mean_length(sign, .76, 1500), WithinAbs(33.9, 1.7));
  const Detector known{.evidence = DetectorEvidence::normal_known};
  CHECK(mean_length(known, 1.0, 1000) <= 14.0);
  CHECK(mean_length(known, 0.0, 1000) >= 1000 - 110);  // the run length that it declares
}

TEST_CASE("an e-value of every kind has mean one when nothing changed") {
  // One update from an empty state is the e-value itself, averaged over the effects.
  const Detector sign;
  CHECK_THAT(.5 * update(sign, {}, {1}).level + .5 * update(sign, {}, {-1}).level, WithinAbs(1, 1e-12));
  CHECK(update(sign, {}, {0}).level == 1.0);  // a tie says nothing
  const Detector bounded{.evidence = DetectorEvidence::bounded, .reference = .3};
  CHECK_THAT(.3 * update(bounded, {}, {1}).level + .7 * update(bounded, {}, {0}).level, WithinAbs(1, 1e-12));
  CHECK(update(bounded, {}, {0}).level > 0.0);
  const Detector known{.evidence = DetectorEvidence::normal_known};
  double sum = 0;
  for (double z = -10; z < 12; z += .01)
    sum += .01 * std::exp(-z * z / 2) / std::sqrt(2 * 3.14159265358979) * update(known, {}, {z}).level;
  CHECK_THAT(sum, WithinAbs(1, 1e-9));
}

TEST_CASE("blocks of one commit multiply, and an alarm restarts the watch") {
  Detector detector{.effects = {.9}};
  CHECK_THAT(update(detector, {}, {1, 1, -1}).level, WithinAbs(1.8 * 1.8 * .2, 1e-12));
  detector.run_length = 3;
  const auto step = update(detector, {}, {1, 1});
  CHECK(step.alarm);
  CHECK(step.state == DetectorState{});
  const DetectorState before{.values = {.5}, .updates = 4};
  CHECK(update(detector, before, {}).state == before);
}

TEST_CASE("cumulative sums restart at one instead of adding it") {
  const Detector detector{.recursion = DetectorRecursion::cusum, .effects = {.9}};
  auto state = update(detector, {}, {-1}).state;  // .2
  CHECK_THAT(update(detector, state, {1}).level, WithinAbs(1.8, 1e-12));
}

TEST_CASE("a detector refuses parameters, states and observations by name") {
  CHECK(refused_field([] { (void)update({.run_length = 1}, {}, {1}); }) == "run_length");
  CHECK(refused_field([] { (void)update({.effects = {.4}}, {}, {1}); }) == "effects");
  CHECK(refused_field([] { (void)update({}, {.values = {1}}, {1}); }) == "state");
  CHECK(refused_field([] { (void)update({.evidence = DetectorEvidence::bounded}, {}, {2}); }) == "observations[0]");
}

}  // namespace retrial::tests::edetector_tests
