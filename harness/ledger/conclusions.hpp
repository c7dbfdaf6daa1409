#pragma once

#include <vector>

#include "harness/ledger/judged_rows.hpp"
#include "harness/stored/plan_state.hpp"

namespace retrial::harness::inline ledger {

/// Tests the published conclusions on a study's own pairs. A difference is tested between the variants that match its
/// two rows, or else between the first variants of the same two methods (on other data or networks this tests the
/// conclusion, but says nothing about the published number). The paired t interval of level 1 - alpha
///   confirmed     is on the published side; for `within`, the interval of level 1 - 2 alpha is inside the margin (two
///           one-sided tests); for `about`, it holds the number and is within the margin of it;
///   contradicted  is on the other side; for `within`, outside the margin; for `about`, without the number;
///   open          neither, or trials of the two were run again after a failure more often than the design allows;
///   not asked     the study has no two variants for the difference.
/// Conclusions without a tested difference are left out.
[[nodiscard]] std::vector<TestedClaim> tested_claims(const published::Table& table, const results::Store& store,
                                                     const StudyView& study, const std::vector<PlannedTrial>& trials,
                                                     const std::vector<JudgedRow>& rows, double alpha);

}  // namespace retrial::harness::inline ledger
