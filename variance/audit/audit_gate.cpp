#include "variance/audit/audit_gate.hpp"

#include <algorithm>
#include <cmath>

#include "variance/numbers/distributions.hpp"

namespace retrial::variance::inline audit {
namespace {

// The tail of a normal law beyond four standard errors, applied to binomial tails since some rates are close to 0.
constexpr double min_tail = 3.167124e-5;

/// Probability of a rate at least this far from its reference, on the same side; the reference may be off by its
/// tolerance.
double tail_of(const SimulatedRate& simulated, double rate, double slack) {
  const auto count = static_cast<std::int64_t>(std::llround(simulated.rate * static_cast<double>(simulated.reps)));
  return simulated.rate > rate ? binomial_at_least(count, simulated.reps, std::min(1.0, rate + slack))
                               : binomial_at_most(count, simulated.reps, std::max(0.0, rate - slack));
}

}  // namespace

double SimulatedRate::se() const {
  return std::sqrt(rate * (1.0 - rate) / static_cast<double>(reps));
}

bool keeps(const SimulatedRate& simulated, double level) {
  return simulated.rate <= level + 3.0 * simulated.se();
}

bool reproduces(const SimulatedRate& simulated, const AuditReference& reference, double level) {
  if (!reference.rate) return !keeps(simulated, level);
  return tail_of(simulated, *reference.rate, reference.tolerance) >= min_tail;
}

}  // namespace retrial::variance::inline audit
