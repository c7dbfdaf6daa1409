#pragma once

#include "variance/audit/audit.hpp"

/// Rules for a simulated rate: it keeps a promise, or reproduces a known one.
namespace retrial::variance::inline audit {

struct SimulatedRate {
  double rate = 0.0;
  std::int64_t reps = 0;
  [[nodiscard]] double se() const;  ///< sqrt(rate (1 - rate) / reps)
};
/// At most the level + 3 standard errors.
[[nodiscard]] bool keeps(const SimulatedRate& simulated, double level);
/// Within its tolerance of the reference, up to four standard errors of chance by the binomial law: one audit compares
/// dozens of rates, and at three standard errors one audit in ten would find one of them off. Without a rate: above
/// the level by 3 standard errors.
[[nodiscard]] bool reproduces(const SimulatedRate& simulated, const AuditReference& reference, double level);

}  // namespace retrial::variance::inline audit
