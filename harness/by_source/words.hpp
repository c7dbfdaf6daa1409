#pragma once

#include <string>
#include <vector>

#include "harness/by_source/study.hpp"

/// What the page of retrial variance and the report say in the same words.
namespace retrial::harness::inline by_source {

/// "hopt (search)"; the other names as they are.
[[nodiscard]] std::string source_name(const std::string& source);

/// One line of the table of sources, in words, as the terminal page and the report print it.
struct SourceLine {
  std::string source, sd, share, interval, variance, runs;
};
[[nodiscard]] std::vector<SourceLine> source_lines(const VariantSources& variant);

/// "Most of the variance comes from data-split (54.2 %), then init (35.3 %)."; empty without shares above 0.
[[nodiscard]] std::string summary_sentence(const VariantSources& variant);
/// Sentences about what the numbers are about: replicates, test items, what was not varied.
[[nodiscard]] std::vector<std::string> source_notes(const SourceStudy& study, const VariantSources& variant);
/// One line for each group of a nested design: what its draw of the first source is worth beside the others.
struct GroupLine {
  std::string group, runs, mean, interval, effect, effect_interval;
};
[[nodiscard]] std::vector<GroupLine> group_lines(const SourceStudy& study, const VariantSources& variant);
/// "What each draw of init is worth".
[[nodiscard]] std::string group_title(const SourceStudy& study);
/// Whether the groups differ by more than their runs do, and what the intervals are.
[[nodiscard]] std::vector<std::string> group_notes(const SourceStudy& study, const VariantSources& variant);

/// "pipeline: 89.1, 95 % interval [88.2, 90.0], from 8 clusters of runs that share one search", INVALID (one-cluster).
[[nodiscard]] std::string claim_text(const SourceClaim& claim);
/// What the runs of an estimator with a fixed search are worth; nothing without one.
[[nodiscard]] std::vector<std::string> estimator_notes(const VariantSources& variant);
/// The candidate against the baseline, clusters as units.
[[nodiscard]] std::vector<std::string> difference_notes(const SourceStudy& study);
/// "one source at a time around one base seed, 20 runs each".
[[nodiscard]] std::string design_sentence(const SourceStudy& study);

}  // namespace retrial::harness::inline by_source
