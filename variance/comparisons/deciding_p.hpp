#pragma once

#include <optional>

#include "variance/comparisons/status.hpp"
#include "variance/comparisons/test_outcome.hpp"

namespace retrial::variance::inline comparisons {

/// The p that decides a verdict, and the verdict that it decides on: at most alpha, and the verdict is shown.
struct DecidingP {
  Status claim = Status::better;  ///< BETTER or WORSE, whichever is nearer; EQUIVALENT for a test of equivalence alone
  double p = 1.0;                 ///< one-sided; doubled where alpha is for both directions together
};

/// From one-sided p values. With Sides::two each is doubled, so that it is compared with alpha itself.
[[nodiscard]] DecidingP deciding_p(double p_better, double p_worse, Sides sides);
/// Absent for a test without p values.
[[nodiscard]] std::optional<DecidingP> deciding_p(const TestOutcome& outcome, Sides sides);

}  // namespace retrial::variance::inline comparisons
