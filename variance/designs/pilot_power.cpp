#include "variance/designs/pilot_power.hpp"

#include <algorithm>

#include "variance/numbers/check.hpp"
#include "variance/numbers/parallel.hpp"
#include "variance/random/rng.hpp"

namespace retrial::variance::inline designs {
namespace {

const ComparisonTest& row_of_plan(const PilotPlan& plan) {
  const ComparisonTest* const row = find_comparison(plan.test);
  if (row == nullptr || row->scores == ScoreKind::five_by_two)
    throw InvalidInput("test", plan.test, "a test of two variants whose runs have no order");
  return *row;
}

/// Studies of a paired test draw places of pairs, others a place of the candidate and one of the baseline in turn.
bool claims(const Pilot& pilot, std::int64_t runs, double shift, const PilotPlan& plan, const ComparisonTest& row,
            std::uint64_t study) {
  Stream draws(plan.key, study);
  std::vector<double> candidate, baseline;
  candidate.reserve(static_cast<std::size_t>(runs)), baseline.reserve(static_cast<std::size_t>(runs));
  for (std::int64_t i = 0; i < runs; ++i) {
    const auto a = bounded(draws.next(), pilot.candidate.size());
    const auto b = row.pairing == Pairing::paired ? a : bounded(draws.next(), pilot.baseline.size());
    candidate.push_back(pilot.candidate[a] + shift);
    baseline.push_back(pilot.baseline[b]);
  }
  TestSettings settings = plan.settings;
  settings.key = derive(plan.key, study);
  return compare(plan.test, std::move(candidate), std::move(baseline), settings).status == plan.claim;
}

}  // namespace

Estimate pilot_effect(const Pilot& pilot, const PilotPlan& plan) {
  const bool paired = row_of_plan(plan).pairing == Pairing::paired;
  return compare(paired ? "paired_t" : "welch", pilot.candidate, pilot.baseline,
                 {.direction = plan.settings.direction, .alpha = plan.settings.alpha})
      .estimate;
}

Status pilot_claim(const Estimate& effect, const PilotPlan& plan) {
  if (row_of_plan(plan).needs == "margin") return Status::equivalent;
  const bool above = effect.point >= 0.0;
  return above == (plan.settings.direction == Direction::higher) ? Status::better : Status::worse;
}

bool shiftable(const PilotPlan& plan) {
  return row_of_plan(plan).scores == ScoreKind::numbers;
}

Estimate simulated_power(const Pilot& pilot, std::int64_t runs, double shift, const PilotPlan& plan) {
  const ComparisonTest& row = row_of_plan(plan);
  require_at_least("runs", runs, row.min_runs);
  require_within("studies", plan.studies, 1, 1'000'000);
  require_at_least("pilot runs", static_cast<std::int64_t>(std::min(pilot.candidate.size(), pilot.baseline.size())), 2);
  if (shift != 0.0 && !shiftable(plan)) throw InvalidInput("shift", shortest(shift), "0: scores are right or wrong");
  std::vector<char> claimed(static_cast<std::size_t>(plan.studies), 0);
  parallel_for(claimed.size(), plan.threads, [&](std::size_t s) {
    claimed[s] = claims(pilot, runs, shift, plan, row, static_cast<std::uint64_t>(s)) ? 1 : 0;
  });
  return clopper_pearson(std::ranges::count(claimed, 1), plan.studies);
}

}  // namespace retrial::variance::inline designs
