#pragma once

#include <span>

#include "results/report/report.hpp"
#include "variance/audit/audit.hpp"

namespace retrial::harness::inline show {

/// The gate by rule, a table per cell, and the conclusion. The data: schema retrial.audit/1, without the number of
/// threads, which changes nothing.
[[nodiscard]] report::Part audit_part(std::span<const variance::AuditRow> rows,
                                      const variance::AuditSettings& settings);

}  // namespace retrial::harness::inline show
