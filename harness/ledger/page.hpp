#pragma once

#include "harness/ledger/judged_rows.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline ledger {

/// The rows as published, their inconsistencies, and the conclusions drawn from them, each with the runs it needs at a
/// standard deviation of `sd` between seeds (two-sided 5 %, power 90 %, unpaired). The data: schema retrial.ledger/1.
[[nodiscard]] report::Part ledger_part(const published::Table& table, double sd);

/// A study's trials compared with the published rows on the same subject. The data: schema retrial.published/1.
[[nodiscard]] report::Part judged_part(const published::Table& table, const LedgerReport& report);

/// The two documents.
[[nodiscard]] Json ledger_document(const published::Table& table, double sd);
[[nodiscard]] Json judged_document(const published::Table& table, const LedgerReport& report);

}  // namespace retrial::harness::inline ledger
