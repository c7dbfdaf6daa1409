#pragma once

#include "harness/by_source/budget.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline by_source {

/// The section on sources of variance, in `retrial variance` and in the report of a study. The data: document
/// retrial.variance/1.
[[nodiscard]] report::Part source_part(const SourceStudy& study, const BudgetChoice& choice);

/// Document retrial.variance/1.
[[nodiscard]] Json source_document(const SourceStudy& study, const BudgetChoice& choice);

}  // namespace retrial::harness::inline by_source
