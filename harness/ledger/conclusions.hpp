#pragma once

#include <vector>

#include "harness/ledger/judged_rows.hpp"
#include "harness/stored/plan_state.hpp"

namespace retrial::harness::inline ledger {

/// The claims of a ledger, asked of a study's own pairs. A difference belongs to variants that are about its two rows,
/// or, where there are none, to the first variants of the same two methods (on other data or other networks the
/// conclusion can stand or fall, but says nothing about the published number). By the paired t interval of level 1 -
/// alpha it
///   stands  lies on the side that the publication says; of `within`: the interval of level 1 - 2 alpha lies inside the
///           margin (two one-sided tests);
///   fails   lies on the other side; of `within`: outside the margin;
///   open    neither.
[[nodiscard]] std::vector<AskedClaim> asked_claims(const published::Table& table, const results::Store& store,
                                                   const StudyView& study, const std::vector<PlannedTrial>& trials,
                                                   const std::vector<JudgedRow>& rows, double alpha);

}  // namespace retrial::harness::inline ledger
