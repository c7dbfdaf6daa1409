#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace retrial::workloads::inline interface {

/// What the scores of a metric can tell apart, beyond its definition. Every field may be absent.
struct ScoreScale {
  /// The smallest real step: a difference of less than half of it is a tie.
  std::optional<double> resolution = {};
  /// A grid whose steps are not equally wide, ascending: every score is judged as the nearest of these, the lower one
  /// of two, so that a difference within a step is a tie. A score may differ a little from its level where a method
  /// cannot meet it exactly.
  std::vector<double> levels = {};
  std::optional<std::pair<double, double>> range = {};  ///< lowest and highest possible score: intervals end there
  bool operator==(const ScoreScale&) const = default;
};

/// The score that is judged. Not a number stays so.
[[nodiscard]] double judged_score(const ScoreScale& scale, double score);

}  // namespace retrial::workloads::inline interface
