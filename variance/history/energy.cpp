#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "variance/history/changepoint.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline history {
namespace {

struct EnergySplit {
  std::size_t index = 0, end = 0;  ///< values before `index` against values in [index, end)
  double statistic = 0.0;
};

/// Largest U-form energy statistic over all splits and ends, ties by (index, end) order; absent below two values.
/// O(n^2) time and memory.
std::optional<EnergySplit> best_energy_split(std::span<const double> x) {
  const std::size_t n = x.size();
  if (n < 2) return std::nullopt;
  // sums[i][j]: of |x_a - x_b| over a < i, b < j.
  std::vector<double> sums((n + 1) * (n + 1), 0.0);
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return sums[i * (n + 1) + j]; };
  for (std::size_t i = 1; i <= n; ++i) {
    double row = 0.0;
    for (std::size_t j = 1; j <= n; ++j) {
      row += x[i - 1] > x[j - 1] ? x[i - 1] - x[j - 1] : x[j - 1] - x[i - 1];
      at(i, j) = at(i - 1, j) + row;
    }
  }
  EnergySplit best;
  bool found = false;
  for (std::size_t tau = 1; tau < n; ++tau)
    for (std::size_t kappa = tau + 1; kappa <= n; ++kappa) {
      const double left = static_cast<double>(tau), right = static_cast<double>(kappa - tau), both = left + right;
      const double across = at(tau, kappa) - at(tau, tau), before = at(tau, tau) / 2.0;
      const double after = (at(kappa, kappa) - 2.0 * at(tau, kappa) + at(tau, tau)) / 2.0;
      double q = 2.0 / both * across;
      if (tau > 1) q -= 2.0 * right / (both * (left - 1.0)) * before;
      if (kappa > tau + 1) q -= 2.0 * left / (both * (right - 1.0)) * after;
      if (found && !(q > best.statistic)) continue;
      best = {.index = tau, .end = kappa, .statistic = q};
      found = true;
    }
  return best;
}

/// Sum of |x_i - x_j| over i < j, x ascending.
double spread_of(const std::vector<double>& x) {
  Neumaier sum;
  const double n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) sum.add(x[i] * (2.0 * static_cast<double>(i) - n + 1.0));
  return sum.value();
}

std::vector<double> sorted_values(std::span<const double> values) {
  std::vector<double> result(values.begin(), values.end());
  std::ranges::sort(result);
  return result;
}

struct BestCut {
  std::size_t index = 0;
  double statistic = 0.0;
};

/// Best split over all segments; `bounds` holds their starts and the end.
BestCut best_cut(std::span<const double> values, const std::vector<std::size_t>& bounds) {
  BestCut best;
  bool found = false;
  for (std::size_t s = 0; s + 1 < bounds.size(); ++s) {
    const auto split = best_energy_split(values.subspan(bounds[s], bounds[s + 1] - bounds[s]));
    if (!split || (found && !(split->statistic > best.statistic))) continue;
    best = {.index = bounds[s] + split->index, .statistic = split->statistic};
    found = true;
  }
  return best;
}

/// Values permuted within their segments.
std::vector<double> shuffled(std::span<const double> values, const std::vector<std::size_t>& bounds, std::uint64_t key,
                             std::uint64_t index) {
  std::vector<double> result(values.size());
  for (std::size_t s = 0; s + 1 < bounds.size(); ++s) {
    const std::size_t from = bounds[s], size = bounds[s + 1] - from;
    const auto order = permutation(derive(key, std::uint64_t{s}), static_cast<std::uint32_t>(size), index);
    for (std::size_t i = 0; i < size; ++i) result[from + i] = values[from + order[i]];
  }
  return result;
}

}  // namespace

Energy energy(std::span<const double> x, std::span<const double> y) {
  require_at_least("x", static_cast<std::int64_t>(x.size()), 1);
  require_at_least("y", static_cast<std::int64_t>(y.size()), 1);
  require_finite("x", x);
  require_finite("y", y);
  const auto a = sorted_values(x), b = sorted_values(y);
  auto all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::ranges::sort(all);
  const double n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  const double inside_a = spread_of(a), inside_b = spread_of(b), across = spread_of(all) - inside_a - inside_b;
  const double distance = 2.0 * across / (n * m);
  Energy result{.e = distance - 2.0 * inside_a / (n * n) - 2.0 * inside_b / (m * m)};
  result.t = n * m / (n + m) * result.e;
  result.h = distance > 0.0 ? result.e / distance : 0.0;
  return result;
}

std::vector<DivisivePoint> edivisive(std::span<const double> values, const DivisiveOptions& options) {
  require_within("values", static_cast<std::int64_t>(values.size()), 1, 4000);
  require_finite("values", values);
  require_within("permutations", options.permutations, 19, 1'000'000);
  require_between("p_max", options.p_max, 0.0, 1.0);
  std::vector<DivisivePoint> points;
  std::vector<std::size_t> bounds{0, values.size()};
  while (bounds.size() <= values.size()) {
    const BestCut split = best_cut(values, bounds);
    const std::uint64_t key = derive(options.key, std::uint64_t{points.size()});
    std::int64_t as_large = 0;
    for (std::int64_t r = 0; r < options.permutations; ++r)
      as_large +=
          best_cut(shuffled(values, bounds, key, static_cast<std::uint64_t>(r)), bounds).statistic >= split.statistic
              ? 1
              : 0;
    const double p = static_cast<double>(as_large + 1) / static_cast<double>(options.permutations + 1);
    if (p > options.p_max) break;
    points.push_back({.index = split.index, .statistic = split.statistic, .p = p});
    bounds.insert(std::ranges::upper_bound(bounds, split.index), split.index);
  }
  return points;
}

namespace {

using Window = std::span<const double>;

/// Squared deviation with the chosen divisor; 0 for a single value.
double squared_sd(Window values, bool sample) {
  const double n = static_cast<double>(values.size());
  const double v = sample_variance(values).value_or(0.0);
  return sample ? v : v * (n - 1.0) / n;
}

/// Two-sided p of the pooled t test, computed from means, deviations and counts as in the original.
double pooled_p(Window left, Window right, bool sample) {
  const double n = static_cast<double>(left.size()), m = static_cast<double>(right.size()), df = n + m - 2.0;
  if (df < 1.0) return 1.0;
  const double difference = *mean(left) - *mean(right);
  const double pooled = ((n - 1.0) * squared_sd(left, sample) + (m - 1.0) * squared_sd(right, sample)) / df;
  if (pooled == 0.0) return difference == 0.0 ? 1.0 : 0.0;
  return 2.0 * student_cdf(-std::fabs(difference) / std::sqrt(pooled * (1.0 / n + 1.0 / m)), df);
}

/// The search accepts more points than are kept in the end.
double lenient(double p) {
  return p < 0.05 ? 10.0 * p : p < 0.5 ? 2.0 * p : p;
}

/// Change points of one window, relative to its start.
std::set<std::size_t> in_window(Window values, const WindowOptions& options) {
  std::set<std::size_t> bounds{0, values.size()};
  for (;;) {
    EnergySplit best;
    std::size_t from = 0, to = 0;
    for (auto next = std::next(bounds.begin()); next != bounds.end(); ++next) {
      const std::size_t start = *std::prev(next);
      const auto split = best_energy_split(values.subspan(start, *next - start));
      if (!split || (to > 0 && !(split->statistic > best.statistic))) continue;
      best = *split;
      from = start;
      to = *next;
    }
    if (to == 0) break;
    const auto left = values.subspan(from, best.index),
               right = values.subspan(from + best.index, to - from - best.index);
    if (left.size() < options.min_segment || right.size() < options.min_segment) break;
    if (pooled_p(left, right, options.sample_deviation) > lenient(options.p_max)) break;
    bounds.insert(from + best.index);
  }
  bounds.erase(0);
  bounds.erase(values.size());
  return bounds;
}

std::set<std::size_t> in_all_windows(Window values, const WindowOptions& options) {
  std::set<std::size_t> found;
  for (std::size_t start = 0; start < values.size();) {
    const std::size_t size = std::min(options.window, values.size() - start);
    std::size_t last = 0;
    for (const auto index : in_window(values.subspan(start, size), options)) {
      found.insert(start + index);
      last = start + index;
    }
    start = std::max(last, start + options.window / 2);
  }
  return found;
}

void refresh(std::vector<WindowPoint>& points, std::size_t i, Window values, const WindowOptions& options) {
  if (i >= points.size()) return;
  const std::size_t from = i == 0 ? 0 : points[i - 1].index, here = points[i].index;
  const std::size_t to = i + 1 < points.size() ? points[i + 1].index : values.size();
  const auto left = values.subspan(from, here - from), right = values.subspan(here, to - here);
  points[i].before = *mean(left);
  points[i].after = *mean(right);
  points[i].p = pooled_p(left, right, options.sample_deviation);
}

double magnitude(const WindowPoint& point) {
  if (point.before == 0.0 || point.after == 0.0) return point.before == point.after ? 0.0 : HUGE_VAL;
  return std::max(std::fabs(point.after / point.before - 1.0), std::fabs(point.before / point.after - 1.0));
}

/// Place of the next point to remove; absent: all stay.
std::optional<std::size_t> weakest(const std::vector<WindowPoint>& points, const WindowOptions& options) {
  if (points.empty()) return std::nullopt;
  const auto weakest = std::ranges::max_element(points, {}, &WindowPoint::p);
  if (weakest->p >= options.p_max) return static_cast<std::size_t>(weakest - points.begin());
  const auto small = std::ranges::min_element(points, {}, magnitude);
  if (magnitude(*small) <= options.min_magnitude) return static_cast<std::size_t>(small - points.begin());
  return std::nullopt;
}

}  // namespace

WindowOptions compatible_window(std::size_t window, double p_max) {
  return {.window = window, .p_max = p_max, .sample_deviation = false, .refresh_both = false};
}

std::vector<WindowPoint> windowed_changes(std::span<const double> values, const WindowOptions& options) {
  require_finite("values", values);
  require_within("window", static_cast<std::int64_t>(options.window), 2, 4000);
  require_between("p_max", options.p_max, 0.0, 1.0);
  require_at_least("min_segment", static_cast<std::int64_t>(options.min_segment), 1);
  std::vector<WindowPoint> points;
  for (const auto index : in_all_windows(values, options)) points.push_back({.index = index});
  for (std::size_t i = 0; i < points.size(); ++i) refresh(points, i, values, options);
  while (const auto out = weakest(points, options)) {
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(*out));
    refresh(points, *out, values, options);
    if (options.refresh_both && *out > 0) refresh(points, *out - 1, values, options);
  }
  return points;
}

}  // namespace retrial::variance::inline history
