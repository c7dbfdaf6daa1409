#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/scores/lines/score_table.hpp"
#include "harness/scores/selection/slice.hpp"

/// Scores as histories: values in the order of time.
namespace retrial::harness::inline scores::inline selection {

struct SeriesPoint {
  std::string label;  ///< commit, date or file; else its number, from 1
  double value = 0.0;
  std::int64_t runs = 1;  ///< scores in the value
};
struct Series {
  std::string name;  ///< task or column; may be empty
  std::vector<SeriesPoint> points;
  std::int64_t empty = 0;  ///< points without a score, left out
};

struct SeriesChoice {
  std::string metric;
  std::optional<std::string> task, variant;
  Within within = Within::mean;  ///< the value of several scores of one point
};
/// Columns of lines are one series each, and their lines the points. In other tables the variants are the points, in
/// the order of the file, one series per task; of one variant alone, named or the only one, its runs are. Error{usage}
/// for an unknown task or variant.
[[nodiscard]] std::vector<Series> series_of(const ScoreTable& table, const SeriesChoice& choice);

}  // namespace retrial::harness::inline scores::inline selection
