#pragma once

#include "variance/verdict/verdict.hpp"

namespace retrial::variance::inline verdict {

/// A sequential design on complete pairs, and the reason if it cannot be judged.
struct Followed {
  SequentialPart part;
  std::optional<InvalidReason> reason;
  std::string detail;
};

/// Applies the rule after every pair in the order given. Its answer for the first n pairs depends on them alone. An
/// INVALID reason ends it as a verdict does: a failed trial that the design refuses (missing), a score that the family
/// cannot use (missing, design-mismatch), too many ties where it stops (ties), more pairs than declared (extended).
/// InvalidInput as in judge(). `steps` selects whether looks have intervals.
enum class Steps { with_intervals, without_intervals };
[[nodiscard]] Followed follow(const PairedScores& scores, const Design& design, Steps steps = Steps::with_intervals);

/// The first n pairs.
[[nodiscard]] PairedScores first_pairs(const PairedScores& scores, std::int64_t n);

}  // namespace retrial::variance::inline verdict
