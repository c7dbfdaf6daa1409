#include "variance/comparisons/deciding_p.hpp"

#include <algorithm>

namespace retrial::variance::inline comparisons {

DecidingP deciding_p(double p_better, double p_worse, Sides sides) {
  const double nearer = std::min(p_better, p_worse);
  return {.claim = p_worse < p_better ? Status::worse : Status::better,
          .p = sides == Sides::two ? std::min(1.0, 2.0 * nearer) : nearer};
}

std::optional<DecidingP> deciding_p(const TestOutcome& outcome, Sides sides) {
  if (outcome.p_better && outcome.p_worse) return deciding_p(*outcome.p_better, *outcome.p_worse, sides);
  if (!outcome.p) return std::nullopt;
  return DecidingP{.claim = Status::equivalent, .p = *outcome.p};
}

}  // namespace retrial::variance::inline comparisons
