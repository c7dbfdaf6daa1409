#pragma once

#include <string>
#include <vector>

#include "harness/by_source/budget.hpp"
#include "results/report/report.hpp"

/// Names, sentences and tables of the section on sources of variance.
namespace retrial::harness::inline by_source {

/// "hopt (search)"; the other names as they are.
[[nodiscard]] std::string source_name(const std::string& source);
/// "one source at a time from one base seed, 20 runs each".
[[nodiscard]] std::string design_sentence(const SourceStudy& study);
/// "The largest source is data-split (54.2 %), then init (35.3 %)."; empty without shares above 0.
[[nodiscard]] std::string summary_sentence(const VariantSources& variant);
/// "pipeline: mean 89.1, 95 % CI [88.2, 90], from 8 clusters of runs that share one search", INVALID (one-cluster).
[[nodiscard]] std::string claim_text(const SourceClaim& claim);

/// A row per source, the interaction, the noise and the total. The variant has shares.
[[nodiscard]] report::Table source_table(const VariantSources& variant, std::string caption);
/// Nested designs only: mean and effect of each draw of the first source.
[[nodiscard]] report::Table group_table(const SourceStudy& study, const VariantSources& variant);

/// Valid claims, whether the draws of a nested design differ, the worth of a fixed search, the answers to --budget and
/// --se, and the limits of the numbers.
[[nodiscard]] std::vector<report::Fact> source_notes(const SourceStudy& study, const VariantSources& variant,
                                                     const BudgetAnswer& answer, const BudgetChoice& choice);
/// The candidate compared with the baseline, with clusters as units.
[[nodiscard]] std::vector<report::Fact> difference_notes(const SourceStudy& study);

}  // namespace retrial::harness::inline by_source
