#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/estimates/effects_text.hpp"
#include "harness/judge/verdict/verdict_document.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline judge::inline verdict {

/// A quantity that supports a verdict, with the test that gave its p.
struct EvidenceRow {
  std::string what, unit;
  variance::Estimate estimate;
  std::int64_t n = 0;       ///< pairs, or runs of each variant
  bool chance = false;      ///< a probability, not a difference
  std::optional<double> p;  ///< p of `test`
  std::string test = {};
  std::string_view test_name = {};        ///< in the tables of tests; empty: an estimate alone
  std::string why = {};                   ///< why there is no interval; empty: the estimate has one
  std::string shown = {};                 ///< the value for people; empty: the estimate's point
  std::string more = {};                  ///< follows the test: p by direction
  bool decides = false;                   ///< its p is that of the declared rule
  std::optional<double> p_deciding = {};  ///< the p that decided, where `p` is two-sided
  bool ties_as_half = false;              ///< the estimate counts a tie as half a win
};

/// Empty for an INVALID verdict, which has no estimates.
[[nodiscard]] std::vector<EvidenceRow> evidence_rows(const Judged& judged);

/// Effect sizes of the judged complete pairs. Of a sequential design without intervals: none holds at every look.
/// Absent for an INVALID verdict and without a complete pair.
[[nodiscard]] std::optional<MeasuredEffects> effects_of_verdict(const Judged& judged);

/// Section `evidence`; `claims`, `effects` and `replication` of the report's data.
[[nodiscard]] report::Part verdict_evidence(const Judged& judged, const std::vector<EvidenceRow>& rows);

/// "P(kd beats scratch)".
[[nodiscard]] std::string win_chance_of(const variance::Design& design);

}  // namespace retrial::harness::inline judge::inline verdict
