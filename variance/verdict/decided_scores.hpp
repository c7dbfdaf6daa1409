#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "variance/numbers/estimate.hpp"
#include "variance/verdict/verdict.hpp"

/// Scores of which some are only bounds. Each stands for every score from its bound on, so a pair is decided where all
/// of them give the same order: at least 90 is above exactly 70, and says nothing against exactly 95 or at least 80.
namespace retrial::variance::inline verdict {

/// The score of a run, as what is known of it.
struct BoundedScore {
  double value = 0.0;
  ScoreBound bound = ScoreBound::exact;
};
/// Whether the order of the two, equality of exact scores included, is known whatever the true scores are.
[[nodiscard]] bool order_is_known(const BoundedScore& a, const BoundedScore& b);

/// The same scores, in which both of a pair whose order is not known have the bound: such a pair is a tie, with
/// difference 0, for every test of pairs. Its own fixed point. Scores without bounds are returned as they are.
[[nodiscard]] PairedScores decided_scores(const PairedScores& scores);
/// Whether that changed a score. Scores of different pairs are then not comparable with each other.
[[nodiscard]] bool levels_bounds(const PairedScores& scores);

[[nodiscard]] ScoreBound candidate_bound(const PairedScores& scores, std::size_t pair);
[[nodiscard]] ScoreBound baseline_bound(const PairedScores& scores, std::size_t pair);

/// An interval without the part that no score of the range can have; the truth is in the range, so its level stays.
/// `width` for differences of two scores: -width .. width.
[[nodiscard]] Estimate cut_to(Estimate estimate, double low, double high);

}  // namespace retrial::variance::inline verdict
