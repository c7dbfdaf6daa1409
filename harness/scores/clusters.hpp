#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/scores/score_table.hpp"
#include "variance/algebra.hpp"

namespace retrial::harness {

/// Scores by cluster: runs that share one search, one seed, one machine.
struct ClusterScores {
  std::vector<std::string> names;  ///< of the clusters, in the order of the table
  variance::Clusters scores;
  std::int64_t missing = 0;  ///< rows without a score
};

/// Which scores of a table are looked at; what is left out must be the same in all rows.
struct ClusterChoice {
  std::optional<std::string> variant, metric;
};

/// Error{usage} for a choice that no row has or that is missing, for a row without a cluster, and where no score
/// remains.
[[nodiscard]] ClusterScores clusters_of(const ScoreTable& table, const ClusterChoice& choice);

}  // namespace retrial::harness
