#pragma once

#include <string>
#include <vector>

#include "results/report/report.hpp"

namespace retrial::harness::inline show {

/// A stored artifact of JSON lines: a header, then a record for each line.
struct StoredLedger {
  std::string trial;  ///< "flaml/3"
  Json header;
  std::vector<Json> records;
};
/// Throws Error{integrity} where a line is no JSON object.
[[nodiscard]] StoredLedger ledger_from(const std::string& text, const std::string& trial);

/// `retrial show STORE TRIAL --ledger`. The data: schema retrial.show_ledger/1.
[[nodiscard]] report::Part ledger_part(const StoredLedger& ledger);

/// A field that differs: "config.learning_rate". A side that lacks it has null.
struct FieldDifference {
  std::string field;
  Json a, b;
};
struct LedgerDifference {
  std::vector<FieldDifference> header;
  std::int64_t record = -1;             ///< the first record that differs; -1: none
  std::vector<FieldDifference> fields;  ///< all that differ there

  [[nodiscard]] bool equal() const { return header.empty() && record < 0; }
};
[[nodiscard]] LedgerDifference difference_of(const StoredLedger& a, const StoredLedger& b);

/// The same with --against TRIAL. The data: schema retrial.ledger_difference/1.
[[nodiscard]] report::Part difference_part(const StoredLedger& a, const StoredLedger& b,
                                           const LedgerDifference& difference);

}  // namespace retrial::harness::inline show
