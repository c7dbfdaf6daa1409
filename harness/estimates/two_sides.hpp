#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/json/json_fwd.hpp"
#include "results/report/report.hpp"

/// Measurements of both sides of a comparison, before any test.
namespace retrial::harness::inline estimates {

/// One side, or the difference of both. A statistic that needs more scores is absent.
struct SideNumbers {
  std::string name;
  std::int64_t n = 0;              ///< finite scores, or pairs of them
  std::int64_t failed = 0;         ///< runs without a finite score
  std::optional<double> mean, sd;  ///< sd divides by n - 1
};

/// `difference` is candidate - baseline: of the pairs whose runs both have a finite score; of unpaired runs that of the
/// means, without n and sd.
struct TwoSides {
  SideNumbers candidate, baseline, difference;
  bool paired = false;
  std::string unit = {};
};

using RunScores = std::vector<std::optional<double>>;  ///< absent: the run failed
/// With `paired`, place i of both sides is one pair.
[[nodiscard]] TwoSides two_sides(const std::string& candidate, const RunScores& candidate_scores,
                                 const std::string& baseline, const RunScores& baseline_scores, bool paired);

/// A row for each side and one for the difference.
[[nodiscard]] report::Table sides_table(const TwoSides& sides);
/// n, mean and sd of the difference, as cells.
[[nodiscard]] std::vector<report::Cell> difference_cells(const TwoSides& sides);
[[nodiscard]] Json sides_document(const TwoSides& sides);

}  // namespace retrial::harness::inline estimates
