#pragma once

#include <string>

#include "harness/source_budget.hpp"
#include "harness/source_words.hpp"

namespace retrial::harness {

[[nodiscard]] std::string source_page(const SourceStudy& study, const BudgetChoice& choice);
/// Document retrial.variance/1.
[[nodiscard]] Json source_document(const SourceStudy& study, const BudgetChoice& choice);

}  // namespace retrial::harness
