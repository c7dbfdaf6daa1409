#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/scores/selection/series.hpp"
#include "results/json/json_fwd.hpp"
#include "results/report/report.hpp"
#include "variance/verdict/verdict.hpp"

/// The page and the document of `retrial changes`.
namespace retrial::harness::inline scores_report {

/// Points [from, end) without a change between them.
struct HistorySegment {
  std::size_t from = 0, end = 0;
  double mean = 0.0;
  std::optional<double> sd;
  std::optional<double> p;  ///< p of the change that it begins with
};

struct SeriesChanges {
  Series series;
  std::vector<HistorySegment> segments;  ///< a change is between two of them
};

/// The histories with their segments, and how they were searched. All that page and document show.
struct ChangesPage {
  std::string method, title, promise;  ///< name of the method, what it does, what it keeps
  std::optional<double> alpha;         ///< per history; absent: the method has no p
  std::int64_t permutations = 0;       ///< 0: nothing was drawn
  std::uint64_t root = 0;              ///< root seed of the draws
  std::string metric, unit;
  variance::Direction direction = variance::Direction::none;  ///< none: changes are up or down
  std::vector<SeriesChanges> series;
  std::vector<std::string> notes;

  [[nodiscard]] std::int64_t changes() const {
    std::int64_t all = 0;
    for (const SeriesChanges& one : series) all += std::ssize(one.segments) - 1;
    return all;
  }
};

[[nodiscard]] report::Section changes_section(const ChangesPage& page);
/// Schema retrial.changes/1.
[[nodiscard]] Json changes_document(const ChangesPage& page);

}  // namespace retrial::harness::inline scores_report
