#pragma once

#include <string>

#include "harness/by_source/budget.hpp"
#include "harness/by_source/words.hpp"

namespace retrial::harness::inline by_source {

[[nodiscard]] std::string source_page(const SourceStudy& study, const BudgetChoice& choice);
/// Document retrial.variance/1.
[[nodiscard]] Json source_document(const SourceStudy& study, const BudgetChoice& choice);

}  // namespace retrial::harness::inline by_source
