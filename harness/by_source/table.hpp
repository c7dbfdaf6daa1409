#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "variance/components/algebra.hpp"

/// The runs of a stored study of variance matched with the rows of its design: the input of the shares.
namespace retrial::harness::inline by_source {

using Scores = std::vector<std::optional<double>>;  ///< by row of the design; nothing: failed or not finite

/// The rows of the stored design with one variant's scores.
struct ScoredDesign {
  std::vector<DesignRow> rows;
  Scores scores;
  std::vector<double> replicates;  ///< scores of row 0 and of its repeats
  std::int64_t failed = 0, not_finite = 0;
};

/// `values`: final values of one metric by the store's number of the attempt.
[[nodiscard]] ScoredDesign scored_design(const StudyView& study, const std::vector<PlannedTrial>& trials,
                                         const std::string& variant, const std::map<std::int64_t, double>& values);

[[nodiscard]] std::vector<double> present(const Scores& scores);
/// oat only: scores of a stratum; "base" belongs to each.
[[nodiscard]] std::vector<double> stratum_of(const ScoredDesign& table, const std::string& name);
/// Scores by group; empty groups are left out.
[[nodiscard]] variance::Clusters groups_of(const ScoredDesign& table);
/// Runs that re-draw every varied source: they give the spread of the pipeline.
[[nodiscard]] Scores full_runs(const ScoredDesign& table, const VarianceDesign& design);

[[nodiscard]] std::vector<std::string> not_among(const std::vector<std::string>& all,
                                                 const std::vector<std::string>& some);
[[nodiscard]] std::uint64_t root_of(const StudyView& study);

}  // namespace retrial::harness::inline by_source
