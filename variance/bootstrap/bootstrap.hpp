#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "variance/numbers/estimate.hpp"
#include "variance/random/bulk_draws.hpp"
#include "variance/random/rng.hpp"

/// Bootstrap intervals of one or two samples, drawn or, if the law can be computed, exact.
namespace retrial::variance::inline bootstrap {

enum class BootstrapMethod {
  percentile,
  basic,  ///< 2 theta - upper, 2 theta - lower
  bca     ///< bias-corrected and accelerated (Efron 1987)
};
struct BootstrapOptions {
  double alpha = 0.05;
  std::int64_t resamples = 10'000;
  std::uint64_t key = 0;  ///< resample r uses Stream(key, r), one word per index
  BootstrapMethod method = BootstrapMethod::percentile;
};

/// Smallest of `values` whose empirical distribution function reaches q; reorders them.
[[nodiscard]] double reordered_quantile(std::span<double> values, double q);

/// Acceleration from the jackknife: leave_one_out[j][i] is the statistic without value i of sample j.
[[nodiscard]] double bca_acceleration(std::span<const std::vector<double>> leave_one_out);

/// Interval from the resampled values (reordered), the statistic of the data and, for BCa, the acceleration. BCa has no
/// interval if all resamples are on one side of the statistic: NumericalFailure, which suggests percentile.
[[nodiscard]] Estimate bootstrap_interval(std::span<double> resampled, double statistic, double acceleration,
                                          const BootstrapOptions& options);

/// Bootstrap of the mean, and of mean(first) - mean(second) of independent samples; the jackknife has a closed form,
/// O(n).
[[nodiscard]] Estimate bootstrap_mean(std::span<const double> values, const BootstrapOptions& options = {});
[[nodiscard]] Estimate bootstrap_mean_difference(std::span<const double> first, std::span<const double> second,
                                                 const BootstrapOptions& options = {});

/// Bootstrap of any statistic of one sample, called as double(std::span<const double>) on the drawn values in draw
/// order. BCa calls it once more for each left-out value.
template <typename Statistic>
[[nodiscard]] Estimate bootstrap_interval(std::span<const double> values, Statistic&& statistic,
                                          const BootstrapOptions& options = {});

/// Bootstrap of a statistic of the order statistics (a median, a quantile, a trimmed mean): the same resamples, but the
/// statistic is called on the drawn values in ascending order. Counting yields that order in O(n); a statistic that
/// sorts or selects by itself takes several times as long (the median of thirty: four times).
template <typename Statistic>
[[nodiscard]] Estimate bootstrap_ordered(std::span<const double> values, Statistic&& statistic,
                                         const BootstrapOptions& options = {});

struct WeightedPoint {
  double value, weight;
};
/// A discrete law in ascending order of distinct values. Values closer than 1e-12 of the largest magnitude are one
/// point, so that rounding does not split values that are equal in exact arithmetic.
class ExactLaw {
 public:
  explicit ExactLaw(std::vector<WeightedPoint> points);
  [[nodiscard]] const std::vector<WeightedPoint>& points() const { return points_; }
  [[nodiscard]] double quantile(double q) const;  ///< smallest value whose distribution function reaches q

 private:
  std::vector<WeightedPoint> points_;
};
/// bootstrap_interval under infinitely many resamples.
[[nodiscard]] Estimate bootstrap_interval(const ExactLaw& law, double statistic, double acceleration,
                                          const BootstrapOptions& options);
/// Law of the sum of two independent variables.
[[nodiscard]] ExactLaw convolved(const ExactLaw& a, const ExactLaw& b);

// Implementation of the template.

namespace detail {
void require_bootstrap(std::span<const double> values, const BootstrapOptions& options);

/// `arrange(places)` returns the resample of the drawn places, `rest(i)` the values without value i.
template <typename Arrange, typename Rest, typename Statistic>
Estimate bootstrap_of(std::span<const double> values, double observed, Arrange&& arrange, Rest&& rest,
                      Statistic&& statistic, const BootstrapOptions& options) {
  const std::size_t n = values.size();
  std::vector<double> resampled(static_cast<std::size_t>(options.resamples));
  std::vector<std::uint64_t> words(n);
  std::vector<std::uint32_t> places(n);
  for (std::size_t r = 0; r < resampled.size(); ++r) {
    fill_words(options.key, r, words);
    fill_bounded(words, static_cast<std::uint32_t>(n), places);
    resampled[r] = statistic(arrange(std::span<const std::uint32_t>(places)));
  }
  double acceleration = 0.0;
  if (options.method == BootstrapMethod::bca) {
    std::vector<std::vector<double>> left_out(1, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i) left_out[0][i] = statistic(rest(i));
    acceleration = bca_acceleration(left_out);
  }
  return bootstrap_interval(resampled, observed, acceleration, options);
}

/// Resamples of one sample in draw order.
class DrawnValues {
 public:
  explicit DrawnValues(std::span<const double> values) : values_(values), drawn_(values.size()) {}
  std::span<const double> of(std::span<const std::uint32_t> places);
  std::span<const double> without(std::size_t i);

 private:
  std::span<const double> values_;
  std::vector<double> drawn_;
};

/// Resamples of one sample in ascending order.
class OrderedValues {
 public:
  explicit OrderedValues(std::span<const double> values);
  [[nodiscard]] std::span<const double> all() const { return sorted_; }
  std::span<const double> of(std::span<const std::uint32_t> places);
  std::span<const double> without(std::size_t i);

 private:
  std::vector<double> sorted_, drawn_;
  std::vector<std::uint32_t> rank_, count_;  ///< rank_: rank of each value in the order given
};
}  // namespace detail

template <typename Statistic>
Estimate bootstrap_interval(std::span<const double> values, Statistic&& statistic, const BootstrapOptions& options) {
  detail::require_bootstrap(values, options);
  detail::DrawnValues drawn(values);
  return detail::bootstrap_of(
      values, statistic(values), [&](auto places) { return drawn.of(places); },
      [&](std::size_t i) { return drawn.without(i); }, statistic, options);
}

template <typename Statistic>
Estimate bootstrap_ordered(std::span<const double> values, Statistic&& statistic, const BootstrapOptions& options) {
  detail::require_bootstrap(values, options);
  detail::OrderedValues drawn(values);
  return detail::bootstrap_of(
      values, statistic(drawn.all()), [&](auto places) { return drawn.of(places); },
      [&](std::size_t i) { return drawn.without(i); }, statistic, options);
}

}  // namespace retrial::variance::inline bootstrap
