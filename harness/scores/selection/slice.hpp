#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/scores/lines/score_table.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/designs/design.hpp"

/// The part of a table of scores that one test reads: one metric, one task, one observation per run.
namespace retrial::harness::inline scores::inline selection {

enum class Within { mean, median };  ///< summary of the scores of one cluster

/// Observations of each variant. With pairs, place i of every variant is the same pair; if pairs are lines, a variant
/// may have fewer than the others.
struct Slice {
  std::string where, task;
  bool paired = false, by_line = false;
  std::string unpaired;  ///< why it has no pairs
  std::string pairing = "give runs that share seeds the same number in the column pair (import --paired does)";
  std::vector<std::string> names;
  std::vector<std::vector<std::optional<double>>> scores;  ///< scores[name]; absent: the run failed
  std::vector<std::string> notes;

  [[nodiscard]] std::int64_t missing(std::size_t name) const;
  /// Error{usage} when these two variants, or any two of a slice with pairs, have different numbers of scores.
  void require_equal(std::size_t candidate, std::size_t baseline, const std::string& who = "a paired test") const;
  void require_all_equal() const;
};

/// Rows of one metric and task. Several scores of one cluster become one observation: runs of one process, or of one
/// search, are not independent evidence. Paired when every score has a pair number (or is a cluster that all variants
/// share). Error{usage} when only some scores have one, and when a variant has no row for a pair: a failed run has a
/// row with an empty score.
[[nodiscard]] Slice slice_of(const ScoreTable& table, const std::string& metric, const std::string& task,
                             Within within = Within::mean);

/// One slice per task that has scores of the metric.
[[nodiscard]] std::vector<Slice> task_slices(const ScoreTable& table, const std::string& metric,
                                             Within within = Within::mean);
/// The same; or, when every variant has one score per task, one slice with the tasks as pairs.
[[nodiscard]] std::vector<Slice> slices_of(const ScoreTable& table, const std::string& metric,
                                           Within within = Within::mean);

/// The scores of a slice for one test of two variants under a failure policy. The default policy is `loss`: a failed
/// run ranks below all others. Only tests of order can use it; for other tests Error{usage} asks for a policy.
struct JudgedPair {
  std::vector<double> candidate, baseline;
  std::int64_t missing_candidate = 0, missing_baseline = 0;
  bool refused = false;  ///< scores are missing and the policy is to refuse: INVALID (missing)
  std::vector<std::string> notes;
};
[[nodiscard]] JudgedPair judged_pair(const Slice& slice, std::size_t candidate, std::size_t baseline,
                                     const variance::ComparisonTest& test, const variance::TestSettings& settings,
                                     const std::optional<variance::FailurePolicy>& policy);

}  // namespace retrial::harness::inline scores::inline selection
