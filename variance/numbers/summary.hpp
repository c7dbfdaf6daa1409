#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace retrial::variance::inline numbers {

/// Summaries of one sample, in the unit of the values. Values must be finite (InvalidInput names values[i]). Summaries
/// that the sample is too small for are absent.
[[nodiscard]] std::optional<double> mean(std::span<const double> values);
/// Divisor n - 1, two passes with the rounding of the mean corrected; absent below two values, exactly 0 if all are
/// equal.
[[nodiscard]] std::optional<double> sample_variance(std::span<const double> values);
/// The number of values, for sums and degrees of freedom.
[[nodiscard]] inline double size_of(std::span<const double> values) {
  return static_cast<double>(values.size());
}
struct Moments {
  double mean, variance;
};
/// Mean and sample variance from one check and one mean; absent below two values.
[[nodiscard]] std::optional<Moments> moments(std::span<const double> values);
[[nodiscard]] std::optional<double> sd(std::span<const double> values);
/// The middle value, or the mean of the two middle ones.
[[nodiscard]] std::optional<double> median(std::span<const double> values);

/// Smallest k >= 1 with k / n >= q: the rank, counted from 1, of the sample quantile among n values.
[[nodiscard]] std::size_t quantile_rank(double q, std::size_t n);
/// Smallest value whose empirical distribution function is at least q, q in [0, 1]: always one of the values.
[[nodiscard]] std::optional<double> sample_quantile(std::span<const double> values, double q);

}  // namespace retrial::variance::inline numbers
