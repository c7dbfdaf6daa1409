#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/judge/looks/look.hpp"
#include "variance/comparisons/status.hpp"

namespace retrial::harness::inline judge::inline looks {

/// The looks that share one error rate: a look, and those before it that asked the same.
///
/// A declared look is preceded by every look at its question but undeclared ones at its own study: that study, and its
/// design, were there before them. An undeclared look chose its question or its rule after the runs, so all earlier
/// looks at its study count, too.
struct Sequence {
  std::vector<Look> before;  ///< in order, one for each number: the claims of one family share a rate
  /// Rate at which at least one of these looks, the last included, calls an equal variant BETTER: at most the sum
  /// of their rates (union bound), whatever they have in common. At most 1.
  double rate = 0;

  [[nodiscard]] std::int64_t place() const { return std::ssize(before) + 1; }
};

/// `looks` in order. A look that is among them keeps its place; a new one is the last.
[[nodiscard]] Sequence sequence_of(const std::vector<Look>& looks, const Look& own);

/// An earlier look at the same trials by another rule, which no later design on them can undo.
struct SpoiledBy {
  Look look;
  variance::InvalidReason reason;  ///< extended where it was the same rule with fewer pairs
};
/// The first one. Independent of `own.inputs`, so that it is known before the first trial.
[[nodiscard]] std::optional<SpoiledBy> spoiled_by(const std::vector<Look>& looks, const Look& own);

}  // namespace retrial::harness::inline judge::inline looks
