#pragma once

#include <string>

#include "results/json/json_fwd.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline judge::inline verdict {

/// "real: yes (p = 0.0004, alpha 0.05); large enough (75 % of pairs): no"; empty for an INVALID verdict. `unit` is that
/// of the metric.
[[nodiscard]] std::string answers_text(const variance::Verdict& verdict, const std::string& unit);

/// Fields `real` and `large_enough` of a verdict; null for an INVALID one.
[[nodiscard]] Json answers_fields(const variance::Verdict& verdict);

}  // namespace retrial::harness::inline judge::inline verdict
