#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace retrial::pruning::inline methods {

/// Where a descending order is divided: everything above `score` is before the cut, and so are the first `ties` that
/// equal it.
struct Threshold {
  double score = 0;
  std::int64_t ties = 0;
};

/// Scores of one layer and which of them take part (not 0).
struct Scored {
  std::span<const double> scores;
  std::span<const std::uint8_t> live;
};

/// Where the `kept` greatest of all layers end; 0 < kept < the number that takes part, no NaN. Two passes over the
/// scores, by a histogram of their leading bits: of a million, less time than the partition of the standard library
/// takes on floats, which has to move what it divides (docs/performance.md).
[[nodiscard]] Threshold threshold_of(std::span<const Scored> layers, std::int64_t kept);

}  // namespace retrial::pruning::inline methods
