#pragma once

#include <string>

#include "results/json/json_fwd.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline judge::inline verdict {

/// "real: yes (p = 0.0004, alpha 0.05); large enough (75 % of pairs): no"; empty for an INVALID verdict. `unit` is that
/// of the metric.
[[nodiscard]] std::string answers_text(const variance::Verdict& verdict, const std::string& unit);

/// The same of one test. Of a test of spread it is the difference in spread that is real.
[[nodiscard]] std::string answers_text(const variance::TestOutcome& outcome, const variance::TestSettings& settings,
                                       const std::string& unit);

/// Fields `real` and `large_enough` of a verdict, or of one test; null for an INVALID one.
[[nodiscard]] Json answers_fields(const variance::Verdict& verdict);
[[nodiscard]] Json answers_fields(const variance::TestOutcome& outcome, const variance::TestSettings& settings);

}  // namespace retrial::harness::inline judge::inline verdict
