#pragma once

#include "workloads/interface/trial.hpp"

namespace retrial::workloads::null {

/// What a trial without failure and defect ends with, in points:
///     mean + effect - curvature (log10(lr / optimum))^2
///     + sd * (sd_init z_init + sd_split z_split + sd_order z_order + dropout z_dropout + interaction z_init z_split)
/// with z = sqrt(c) x + sqrt(1 - c) y for c = correlation, x a standard normal of the source seed alone and y one of
/// the source seed and the variant's name. So one variant has variance (sd times the root sum of squares of the
/// shares, interaction included) squared, and two variants of a pair that share their seeds correlate by c.
[[nodiscard]] double score(const Trial& trial);
/// The same on items of its own: z_split is drawn anew from data-split. What a search for lr may look at.
[[nodiscard]] double validation_score(const Trial& trial);

/// Rounded to a multiple of `resolution` (halves away from zero); 0: as it is.
[[nodiscard]] double on_grid(double score, double resolution);

/// The nearest number of `items` right ones for a score in percent, itself in percent of the items; 0 for NaN.
[[nodiscard]] double accuracy(double score, std::int64_t items);

/// Loss of an epoch: falls as 1/(epoch + 2), times 1 + z/10 with z drawn from data-order.
[[nodiscard]] double loss(const Trial& trial, std::int64_t epoch);

}  // namespace retrial::workloads::null
