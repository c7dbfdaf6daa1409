#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace retrial::variance::inline samples {

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

/// Sum in one fixed order: blocks of 128 values in index order, the sums of the blocks added as a balanced tree of
/// neighbors. The order depends on the number of values alone, so any number of threads that compute whole blocks
/// gives the same bits. The empty sum is 0. The error grows with log n (Higham 1993).
[[nodiscard]] double pairwise_sum(std::span<const double> values);

/// Compensated running sum (Neumaier 1974): unlike Kahan's, also accurate if a term exceeds the sum so far.
class Neumaier {
 public:
  void add(double term);
  [[nodiscard]] double value() const { return sum_ + compensation_; }

 private:
  double sum_ = 0.0, compensation_ = 0.0;
};

}  // namespace retrial::variance::inline samples
