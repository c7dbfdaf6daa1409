#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/across/store_side.hpp"
#include "harness/command_line/arguments.hpp"

namespace retrial::harness::inline across {

/// A variant of the one store and the variant of the other that it is compared with; usually of the same name.
struct VariantMatch {
  std::string baseline, candidate;
  [[nodiscard]] std::string label() const { return baseline == candidate ? baseline : candidate + " - " + baseline; }
};

/// --variant, or --baseline and --candidate, else every variant that both stores have. Error{usage} for names that are
/// not there, and where no name is shared.
[[nodiscard]] std::vector<VariantMatch> matched_variants(const Arguments& arguments, const StoreSide& baseline,
                                                         const StoreSide& candidate);
/// Variants of one side that the other does not have.
[[nodiscard]] std::vector<std::string> unmatched_variants(const StoreSide& side, const StoreSide& other);

/// A trial that has run.
struct SideRun {
  const PlannedTrial* trial = nullptr;
  const TrialBody* body = nullptr;
  results::Digest result_identity{};  ///< as in StoreSide
  std::optional<double> score;        ///< finite; absent: the trial failed or diverged
  variance::ScoreBound bound = variance::ScoreBound::exact;
};
/// The runs of one match. Those with equal seeds come first: run i of both sides is one pair for i < pairs.
struct MatchedRuns {
  VariantMatch variant;
  std::vector<SideRun> baseline, candidate;
  std::size_t pairs = 0;
};

/// Whether there are pairs, and both scores of each are equal up to the rounding of decimal data.
[[nodiscard]] bool equal_in_every_pair(const MatchedRuns& runs);

/// Error{incomparable} where trials have not run yet, a seed is dead, a trial was retried more often
/// than its study declared, or the sides have different data.
[[nodiscard]] MatchedRuns matched_runs(const VariantMatch& variant, const StoreSide& baseline,
                                       const StoreSide& candidate, const results::MetricDef& metric);

}  // namespace retrial::harness::inline across
