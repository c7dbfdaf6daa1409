#pragma once

#include <string>

#include "harness/judge/verdict/verdict_document.hpp"
#include "results/report/report.hpp"

/// A verdict for people: `retrial compare` prints these parts, the report embeds them.
namespace retrial::harness::inline judge::inline verdict {

/// Headline, answers, subject, the verdict in a sentence and its meaning; no facts.
[[nodiscard]] report::Banner verdict_banner(const Judged& judged);

/// Both variants alone: runs, mean, spread, failures.
[[nodiscard]] report::Table variants_table(const Judged& judged);

/// Section `design`: the rule, its error rates, what was varied; then the verdict's warnings.
[[nodiscard]] report::Section design_section(const Judged& judged);

/// The page of `retrial compare`: banner, evidence, variants, design.
[[nodiscard]] std::string verdict_page(const Judged& judged);

}  // namespace retrial::harness::inline judge::inline verdict
