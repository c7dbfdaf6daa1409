#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/scores/lines/score_table.hpp"
#include "variance/components/algebra.hpp"

namespace retrial::harness::inline scores::inline lines {

/// Scores by cluster: runs that share one search, one seed, one machine.
struct ClusterScores {
  std::vector<std::string> names;  ///< names of the clusters, in the order of the table
  variance::Clusters scores;
  std::int64_t missing = 0;  ///< rows without a score
};

/// The scores of a table to select; a field that is not given must have one value in all rows.
struct ClusterChoice {
  std::optional<std::string> variant, metric;
};

/// Error{usage} for a choice that no row matches or that is needed but missing, for a row without a cluster, and when
/// no scores remain.
[[nodiscard]] ClusterScores clusters_of(const ScoreTable& table, const ClusterChoice& choice);

}  // namespace retrial::harness::inline scores::inline lines
