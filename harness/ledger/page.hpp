#pragma once

#include <string>

#include "harness/ledger/judged_rows.hpp"

namespace retrial::harness::inline ledger {

/// The rows as they were published, what is odd about them, and the conclusions drawn from them with the runs that each
/// would take at a standard deviation of `sd` between seeds (two-sided 5 %, power 90 %, unpaired).
[[nodiscard]] std::string ledger_page(const published::Table& table, double sd);
/// Schema retrial.ledger/1.
[[nodiscard]] Json ledger_document(const published::Table& table, double sd);

/// A study's trials beside the published rows they are about.
[[nodiscard]] std::string judged_page(const published::Table& table, const LedgerReport& report);
/// Schema retrial.published/1.
[[nodiscard]] Json judged_document(const published::Table& table, const LedgerReport& report);

}  // namespace retrial::harness::inline ledger
