#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "variance/comparisons/status.hpp"

/// Registered claims about pairs of scores: evidence for each and for its opposite, and Holm's correction over all.
namespace retrial::variance::inline many {

/// One-sided p values for a claim and for its opposite; absent if the test says nothing of these scores.
struct ClaimEvidence {
  std::optional<double> p_for, p_against;
  bool invalid = false;  ///< the test was INVALID, for `reason` if it has one
  std::optional<InvalidReason> reason;
  bool constant = false;  ///< the differences do not vary, and a t test says nothing of such
};

/// A claim of a direction: the candidate is on this side of the baseline + `at`, in the unit of the scores.
struct ClaimBound {
  Direction side = Direction::higher;
  double at = 0.0;
};
/// By a paired test of all_comparisons() on the baseline shifted to the bound. At least two pairs; InvalidInput as in
/// compare(). `key`: of the comparison, for tests that draw; `overlap`: for corrected_t.
[[nodiscard]] ClaimEvidence claim_of_side(std::span<const double> candidate, std::span<const double> baseline,
                                          const ClaimBound& bound, std::string_view test, double alpha,
                                          std::uint64_t key, std::optional<double> overlap = {});
/// A claim that the mean of shares, each from 0 to 1, is above or below `share`. The exact binomial p of as many pairs
/// as the shares add up to, rounded away from the claim: of all laws with this mean, pairs that are won or lost as a
/// whole vary most.
[[nodiscard]] ClaimEvidence claim_of_share(std::span<const double> shares, Direction side, double share);
/// A claim of equality: both one-sided t tests for it, corrected for the overlap; against it, a mean beyond either end
/// of the margin, p doubled.
[[nodiscard]] ClaimEvidence claim_of_equality(std::span<const double> candidate, std::span<const double> baseline,
                                              double margin, double alpha, double overlap = 0.0);

/// Holm 1979 over all claims. A claim without a p counts as p = 1, so that it does not make the family smaller, and
/// stays absent.
[[nodiscard]] std::vector<std::optional<double>> holm_over(std::span<const std::optional<double>> p);

}  // namespace retrial::variance::inline many
