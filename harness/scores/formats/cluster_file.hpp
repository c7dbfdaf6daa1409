#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "variance/sources/algebra.hpp"

namespace retrial::harness::inline scores::inline formats {

/// Scores of a CSV file by cluster: runs that share one search, one seed, one machine.
struct ClusterFile {
  std::vector<std::string> names;  ///< of the clusters, in the order of the file
  variance::Clusters scores;
  std::int64_t missing = 0;  ///< lines with an empty score
};

/// Header with the columns cluster and score, and any of variant, pair, task, metric; UTF-8, comma, decimal point. Of
/// each further column one value is looked at: `wanted` names it, or the file holds one alone. Error{usage} naming line
/// and column for an unknown column, a score that is no finite number, a run named twice; Error{incomparable} when
/// there is no such file.
[[nodiscard]] ClusterFile read_clusters(const std::filesystem::path& path,
                                        const std::map<std::string, std::string>& wanted);

}  // namespace retrial::harness::inline scores::inline formats
