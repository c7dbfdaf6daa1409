#include "harness/gate/claim_sides.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/samples/interpolated.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline gate {
namespace {

using variance::Direction;
using Scores = std::vector<double>;

constexpr double worst_score = std::numeric_limits<double>::infinity();

}  // namespace

ClaimSide claim_side(const GateClaim& claim, std::size_t which, const GateSettings& settings) {
  ClaimSide out;
  const double worst = claim.direction == Direction::lower ? worst_score : -worst_score;
  for (const GateTrial& trial : claim.trials[which]) {
    const auto no_number = [](double value) { return !std::isfinite(value); };
    const bool failed = trial.failed || trial.values.empty() || std::ranges::any_of(trial.values, no_number);
    out.failures += failed ? 1 : 0, out.censored += !failed && trial.censored ? 1 : 0;
    if (failed && settings.failure != GateFailure::loss) continue;
    out.values.push_back(failed || trial.censored ? worst : reduced(trial.values, settings.statistic, claim.direction));
    out.pairs.push_back(trial.pair);
    out.places.push_back(trial.place);
  }
  return out;
}

double reduced(const Scores& values, Statistic statistic, Direction direction) {
  if (statistic == Statistic::automatic) statistic = direction == Direction::lower ? Statistic::min : Statistic::last;
  switch (statistic) {
    case Statistic::q1:
      return *variance::interpolated_quantile(values, 0.25);
    case Statistic::median:
      return *variance::median(values);
    case Statistic::mean:
      return *variance::mean(values);
    case Statistic::last:
      return values.back();
    default:
      return *std::ranges::min_element(values);
  }
}

std::optional<std::string> why_untestable(const ClaimSide& a, const ClaimSide& b, bool absolute,
                                          const GateSettings& settings) {
  const std::int64_t failures = a.failures + b.failures;
  if (settings.failure == GateFailure::refuse && failures > 0) return "a process failed or has no value";
  if (a.values.empty() || b.values.empty()) return "no process has a value";
  if (settings.failure == GateFailure::drop)
    for (const ClaimSide* side : {&a, &b})
      if (20 * side->failures > static_cast<std::int64_t>(side->values.size()) + side->failures)
        return "more than 5 % of the processes of a side failed";
  const bool none_of_base = without_losses(a.values).empty(), none_of_head = without_losses(b.values).empty();
  if (none_of_base && none_of_head && a.censored + b.censored > 0) return "no process reached its target";
  if ((none_of_base && a.censored == 0) || (none_of_head && b.censored == 0)) return "no process has a value";
  if (!absolute)
    for (const ClaimSide* side : {&a, &b})
      if (std::ranges::any_of(side->values, [](double v) { return std::isfinite(v) && v <= 0.0; }))
        return "nonpositive_value";
  return {};
}

Scores without_losses(const Scores& values) {
  Scores out;
  std::ranges::copy_if(values, std::back_inserter(out), [](double v) { return std::isfinite(v); });
  return out;
}

bool has_loss(const Scores& values) {
  return std::ranges::any_of(values, [](double v) { return std::isinf(v); });
}

Scores scaled_scores(const Scores& values, bool absolute) {
  Scores out = values;
  if (!absolute)
    for (double& v : out) v = std::isinf(v) ? v : std::log(v);
  return out;
}

double on_test_scale(double bound, bool absolute) {
  return absolute ? bound : std::log1p(bound);
}

double shown_effect(double value, bool absolute) {
  return absolute ? value : std::expm1(value);
}

}  // namespace retrial::harness::inline gate
