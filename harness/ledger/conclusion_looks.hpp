#pragma once

#include <vector>

#include "harness/judge/looks/look.hpp"
#include "harness/ledger/judged_rows.hpp"

namespace retrial::harness::inline ledger {

/// A published conclusion that is tested on two variants of a study is an answer about these two: one look for each
/// tested difference, together a family. None was declared by the study.
[[nodiscard]] std::vector<Look> looks_at_conclusions(const published::Table& table, const LedgerReport& report,
                                                     const results::Store& store, const StudyView& study);

}  // namespace retrial::harness::inline ledger
