#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace retrial::pruning::inline allocation {

/// A cut of a descending order: before it are all scores above `score`, and the first `ties` that are equal to it.
struct Threshold {
  double score = 0;
  std::int64_t ties = 0;
};

/// Scores of one layer, and flags of those that take part (not 0).
struct Scored {
  std::span<const double> scores;
  std::span<const std::uint8_t> live;
};

/// The cut after the `kept` largest of all layers; 0 < kept < the number that takes part, no NaN. Two passes over the
/// scores, by a histogram of their leading bits: for a million floats this is faster than the partition of the standard
/// library, which must move them (docs/performance.md).
[[nodiscard]] Threshold threshold_of(std::span<const Scored> layers, std::int64_t kept);

}  // namespace retrial::pruning::inline allocation
