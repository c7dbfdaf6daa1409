#pragma once

#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::null {

/// Final score of a trial without failure and defect, in points:
///     mean + effect - curvature (log10(lr / optimum))^2
///     + sd * (sd_init z_init + sd_split z_split + sd_order z_order + dropout z_dropout + interaction z_init z_split)
/// with z = sqrt(c) x + sqrt(1 - c) y for c = correlation, x a standard normal of the source seed alone and y one of
/// the source seed and the variant's name. So one variant has variance (sd times the root sum of squares of the
/// shares, interaction included) squared, and two variants of a pair that share their seeds correlate by c.
[[nodiscard]] double score(const Trial& trial);
/// The same on other items: z_split is drawn again from data-split. A search for lr may use this score.
[[nodiscard]] double validation_score(const Trial& trial);

/// Rounded to a multiple of `resolution` (halves away from zero); 0: unchanged.
[[nodiscard]] double on_grid(double score, double resolution);

/// A score in percent, rounded to a whole number of correct items out of `items`, in percent; 0 for NaN.
[[nodiscard]] double accuracy(double score, std::int64_t items);

/// Loss of an epoch: falls as 1/(epoch + 2), times 1 + z/10 with z drawn from data-order.
[[nodiscard]] double loss(const Trial& trial, std::int64_t epoch);

}  // namespace retrial::workloads::null
