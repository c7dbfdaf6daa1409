#include "variance/bootstrap/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/bulk_draws.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline bootstrap {
namespace {

const char* method_name(BootstrapMethod method) {
  switch (method) {
    case BootstrapMethod::percentile:
      return "percentile bootstrap";
    case BootstrapMethod::basic:
      return "basic bootstrap";
    case BootstrapMethod::bca:
      return "BCa bootstrap";
  }
  return "";
}

struct TailLevels {
  double low, high;
};

/// `below`: share of resamples below the statistic; ties count as half.
TailLevels bca_levels(double below, double acceleration, double alpha) {
  if (!(below > 0.0 && below < 1.0))
    throw NumericalFailure("BCa bootstrap (all resamples on one side; use percentile)", 0);
  const double z0 = quantile(below);
  const auto level = [&](double z) { return normal_cdf(z0 + (z0 + z) / (1.0 - acceleration * (z0 + z))); };
  return {level(quantile(alpha / 2.0)), level(quantile(1.0 - alpha / 2.0))};
}

double share_below(std::span<const double> resampled, double statistic) {
  double below = 0.0;
  for (const double x : resampled) below += x < statistic ? 1.0 : x == statistic ? 0.5 : 0.0;
  return below / static_cast<double>(resampled.size());
}

double share_below(const ExactLaw& law, double statistic) {
  double largest = std::fabs(statistic), below = 0.0;
  for (const auto& point : law.points()) largest = std::max(largest, std::fabs(point.value));
  for (const auto& point : law.points()) {
    const bool same = std::fabs(point.value - statistic) <= 1e-12 * largest;
    below += same ? point.weight / 2.0 : point.value < statistic ? point.weight : 0.0;
  }
  return below;
}

/// Interval between two quantiles of `values`: a law, or a list that may be reordered.
template <typename Values, typename Quantile>
Estimate interval_between(const Values& values, double statistic, double acceleration, const BootstrapOptions& options,
                          Quantile&& quantile_of) {
  TailLevels levels{options.alpha / 2.0, 1.0 - options.alpha / 2.0};
  if (options.method == BootstrapMethod::bca)
    levels = bca_levels(share_below(values, statistic), acceleration, options.alpha);
  Estimate result{.point = statistic, .level = 1.0 - options.alpha, .method = method_name(options.method)};
  result.low = quantile_of(levels.low);
  result.high = quantile_of(levels.high);
  if (options.method == BootstrapMethod::basic) {
    const double low = *result.low;
    result.low = 2.0 * statistic - *result.high;
    result.high = 2.0 * statistic - low;
  }
  return result;
}

/// theta without each value in turn is (n mean - x_i) / (n - 1); `sign` is that of the sample's mean in the statistic.
std::vector<double> jackknife_of_mean(std::span<const double> values, double other, double sign) {
  const double n = static_cast<double>(values.size()), sum = pairwise_sum(values);
  std::vector<double> result;
  for (const double x : values) result.push_back(sign * (sum - x) / (n - 1.0) + other);
  return result;
}

/// Sums of four resamples of one sample, each in the order of its draws; interleaved, so that an addition need not wait
/// for the previous one (1.4 times the rate of sequential sums).
struct FourSums {
  double sum[4] = {};
};

FourSums four_sums(std::span<const double> values, const std::uint32_t* places, std::size_t stride) {
  FourSums s;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t lane = 0; lane < 4; ++lane) s.sum[lane] += values[places[lane * stride + i]];
  return s;
}

/// Means of the drawn values of every resample, of one sample or of the first minus the second.
std::vector<double> drawn_means(std::span<const double> first, std::span<const double> second,
                                const BootstrapOptions& options) {
  const std::size_t n = first.size(), m = second.size(), all = n + m;
  std::vector<std::uint64_t> words(all);
  std::vector<std::uint32_t> places(4 * all);
  std::vector<double> means(static_cast<std::size_t>(options.resamples));
  for (std::size_t r = 0; r < means.size(); r += 4) {
    const std::size_t lanes = std::min<std::size_t>(4, means.size() - r);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      fill_words(options.key, r + lane, words);
      const auto drawn = std::span(places).subspan(lane * all, all);
      fill_bounded(std::span(words).first(n), static_cast<std::uint32_t>(n), drawn.first(n));
      if (m > 0) fill_bounded(std::span(words).last(m), static_cast<std::uint32_t>(m), drawn.last(m));
    }
    const FourSums a = four_sums(first, places.data(), all), b = four_sums(second, places.data() + n, all);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      means[r + lane] = a.sum[lane] / static_cast<double>(n);
      if (m > 0) means[r + lane] -= b.sum[lane] / static_cast<double>(m);
    }
  }
  return means;
}

}  // namespace

namespace detail {
void require_bootstrap(std::span<const double> values, const BootstrapOptions& options) {
  require_at_least("values", static_cast<std::int64_t>(values.size()), 2);
  require_finite("values", values);
  require_between("alpha", options.alpha, 0.0, 0.5);
  require_within("resamples", options.resamples, 1'000, 1'000'000'000);
}

std::span<const double> DrawnValues::of(std::span<const std::uint32_t> places) {
  // Plain pointers: checked indices would cost a third of the loop.
  const double* const value = values_.data();
  double* const drawn = drawn_.data();
  for (std::size_t i = 0; i < places.size(); ++i) drawn[i] = value[places[i]];
  return drawn_;
}

std::span<const double> DrawnValues::without(std::size_t i) {
  std::copy(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(i), drawn_.begin());
  std::copy(values_.begin() + static_cast<std::ptrdiff_t>(i + 1), values_.end(),
            drawn_.begin() + static_cast<std::ptrdiff_t>(i));
  return std::span<const double>(drawn_).first(values_.size() - 1);
}

OrderedValues::OrderedValues(std::span<const double> values)
    : drawn_(values.size() + 2), rank_(values.size()), count_(values.size()) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](auto i, auto j) { return values[i] != values[j] ? values[i] < values[j] : i < j; });
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    rank_[order[k]] = k;
    sorted_.push_back(values[order[k]]);
  }
}

std::span<const double> OrderedValues::of(std::span<const std::uint32_t> places) {
  const std::size_t n = sorted_.size();
  const double* const value = sorted_.data();
  const std::uint32_t* const rank = rank_.data();
  std::uint32_t* const count = count_.data();
  std::fill_n(count, n, 0U);
  for (const std::uint32_t place : places) ++count[rank[place]];
  // Two copies are always written; the count only sets where the next ones begin. More than two are rare, and the
  // branches of a loop per count would be mispredicted a dozen times per resample. Hence the two places after the end.
  double* out = drawn_.data();
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint32_t times = count[k];
    if (times > 2) std::fill_n(out + 2, times - 2, value[k]);
    out[0] = out[1] = value[k];
    out += times;
  }
  return std::span<const double>(drawn_).first(n);
}

std::span<const double> OrderedValues::without(std::size_t i) {
  std::copy(sorted_.begin(), sorted_.end(), drawn_.begin());
  const auto left_out = drawn_.begin() + static_cast<std::ptrdiff_t>(rank_[i]);
  std::copy(left_out + 1, drawn_.begin() + static_cast<std::ptrdiff_t>(sorted_.size()), left_out);
  return std::span<const double>(drawn_).first(sorted_.size() - 1);
}

}  // namespace detail

double reordered_quantile(std::span<double> values, double q) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(quantile_rank(q, values.size()) - 1);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

double bca_acceleration(std::span<const std::vector<double>> leave_one_out) {
  double cubes = 0.0, squares = 0.0;
  for (const auto& sample : leave_one_out) {
    const double n = static_cast<double>(sample.size()), centre = *mean(sample);
    for (const double theta : sample) {
      const double u = (n - 1.0) * (centre - theta);
      cubes += u * u * u / (n * n * n);
      squares += u * u / (n * n);
    }
  }
  return squares > 0.0 ? cubes / (6.0 * std::pow(squares, 1.5)) : 0.0;
}

Estimate bootstrap_interval(std::span<double> resampled, double statistic, double acceleration,
                            const BootstrapOptions& options) {
  return interval_between(resampled, statistic, acceleration, options,
                          [&](double q) { return reordered_quantile(resampled, q); });
}

Estimate bootstrap_interval(const ExactLaw& law, double statistic, double acceleration,
                            const BootstrapOptions& options) {
  return interval_between(law, statistic, acceleration, options, [&](double q) { return law.quantile(q); });
}

Estimate bootstrap_mean(std::span<const double> values, const BootstrapOptions& options) {
  detail::require_bootstrap(values, options);
  std::vector<double> resampled = drawn_means(values, {}, options);
  const std::vector<std::vector<double>> left_out{jackknife_of_mean(values, 0.0, 1.0)};
  return bootstrap_interval(resampled, *mean(values), bca_acceleration(left_out), options);
}

Estimate bootstrap_mean_difference(std::span<const double> first, std::span<const double> second,
                                   const BootstrapOptions& options) {
  detail::require_bootstrap(first, options);
  detail::require_bootstrap(second, options);
  std::vector<double> resampled = drawn_means(first, second, options);
  const double a = *mean(first), b = *mean(second);
  const std::vector<std::vector<double>> left_out{jackknife_of_mean(first, -b, 1.0),
                                                  jackknife_of_mean(second, a, -1.0)};
  return bootstrap_interval(resampled, a - b, bca_acceleration(left_out), options);
}

}  // namespace retrial::variance::inline bootstrap
