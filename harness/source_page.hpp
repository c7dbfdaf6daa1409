#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/source_study.hpp"

namespace retrial::harness {

/// One line of the table of sources, in words, as the terminal page and the report print it.
struct SourceLine {
  std::string source, sd, share, interval, variance, runs;
};
[[nodiscard]] std::vector<SourceLine> source_lines(const VariantSources& variant);

/// "Most of the variance comes from data-split (54.2 %), then init (35.3 %)."; empty without shares above 0.
[[nodiscard]] std::string summary_sentence(const VariantSources& variant);
/// Sentences about what the numbers are about: replicates, test items, what was not varied.
[[nodiscard]] std::vector<std::string> source_notes(const SourceStudy& study, const VariantSources& variant);
/// "pipeline: 89.1, 95 % interval [88.2, 90.0], from 8 clusters of runs that share one search", INVALID (one-cluster).
[[nodiscard]] std::string claim_text(const SourceClaim& claim);
/// What the runs of an estimator with a fixed search are worth; nothing without one.
[[nodiscard]] std::vector<std::string> estimator_notes(const SourceStudy& study, const VariantSources& variant);
/// The candidate against the baseline, clusters as units.
[[nodiscard]] std::vector<std::string> difference_notes(const SourceStudy& study);
/// "one source at a time around one base seed, 20 runs each".
[[nodiscard]] std::string design_sentence(const SourceStudy& study);

/// What a budget or a standard error asks of searches and runs; needs groups of runs that share one search.
struct BudgetChoice {
  std::optional<double> budget, se;  ///< in trainings; in the unit of the metric
};

[[nodiscard]] std::string source_page(const SourceStudy& study, const BudgetChoice& choice);
/// Document retrial.variance/1.
[[nodiscard]] Json source_document(const SourceStudy& study, const BudgetChoice& choice);

}  // namespace retrial::harness
