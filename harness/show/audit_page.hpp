#pragma once

#include <span>
#include <string>

#include "results/json/json_fwd.hpp"
#include "variance/audit/audit.hpp"

namespace retrial::harness::inline show {

/// One document, schema retrial.audit/1. The number of threads is not in it: it changes nothing.
[[nodiscard]] Json audit_document(std::span<const variance::AuditRow> rows, const variance::AuditSettings& settings);

/// The gate, rule by rule, then a table for each cell, and in words what it all comes to.
[[nodiscard]] std::string audit_page(std::span<const variance::AuditRow> rows, const variance::AuditSettings& settings);

}  // namespace retrial::harness::inline show
