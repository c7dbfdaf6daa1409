#pragma once

#include <vector>

#include "results/report/report.hpp"
#include "variance/audit/audit.hpp"
#include "variance/offers/offers.hpp"

namespace retrial::harness::inline show {

/// Simulated cells: rules in the cells of the grid, tests and designs in cells of their own.
struct AuditResult {
  std::vector<variance::AuditRow> rules;
  std::vector<variance::OfferRow> offers;
};
[[nodiscard]] bool passes(const AuditResult& result);

enum class AuditDetail {
  summary,  ///< conclusion, failures, known departures, one line per rule
  all       ///< and every cell
};
/// The data: schema retrial.audit/1, every cell in any case, without the number of threads, which changes nothing.
[[nodiscard]] report::Part audit_part(const AuditResult& result, const variance::AuditSettings& settings,
                                      AuditDetail detail = AuditDetail::summary);

}  // namespace retrial::harness::inline show
