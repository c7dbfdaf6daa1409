#include "harness/gate/censoring.hpp"

#include <algorithm>
#include <set>

#include "harness/gate/claim_sides.hpp"
#include "harness/text/output.hpp"

namespace retrial::harness::inline gate {
namespace {

using variance::Direction, variance::ScoreBound;

/// The limits of the processes that did not reach their target.
std::set<double> limits_of(const GateClaim& claim) {
  std::set<double> out;
  for (const auto& side : claim.trials)
    for (const GateTrial& trial : side)
      if (trial.bound != ScoreBound::exact && !trial.failed) out.insert(trial.values.begin(), trial.values.end());
  return out;
}

std::string share_text(const std::vector<GateTrial>& side) {
  const auto reached = std::ranges::count_if(side, [](const GateTrial& t) { return !t.censored && !t.failed; });
  return std::to_string(reached) + " of " + std::to_string(side.size());
}

}  // namespace

Censored censored(const GateClaim& claim, Statistic statistic) {
  Censored out{.claim = claim};
  const std::set<double> limits = limits_of(claim);
  if (limits.empty()) return out;
  const bool lower = claim.direction == Direction::lower;
  for (const auto& side : claim.trials)
    for (const GateTrial& trial : side)
      if (!trial.failed && trial.bound == (lower ? ScoreBound::at_most : ScoreBound::at_least)) {
        out.problem = "a value is only a bound on its better side, which has no rank";
        return out;
      }
  const double limit = lower ? *limits.begin() : *limits.rbegin();
  for (auto& side : out.claim.trials)
    for (GateTrial& trial : side) {
      if (trial.failed || trial.values.empty()) continue;
      const double value = reduced(trial.values, statistic, claim.direction);
      trial.censored = trial.bound != ScoreBound::exact || (lower ? value >= limit : value <= limit);
    }
  out.claim.test = GateTest::rank;
  const std::string unit = claim.unit.empty() ? "" : " " + claim.unit;
  out.notes.push_back("reached by " + share_text(out.claim.trials[base]) + " against " +
                      share_text(out.claim.trials[head]) + " processes; the others are ranked behind them, at " +
                      short_text(limit, 6) + unit);
  if (limits.size() > 1)
    out.notes.push_back("the limits differ, up to " + short_text(lower ? *limits.rbegin() : *limits.begin(), 6) + unit +
                        ": both sides are cut at the nearer one");
  return out;
}

}  // namespace retrial::harness::inline gate
