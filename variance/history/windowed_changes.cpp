#include <algorithm>
#include <cmath>
#include <set>

#include "variance/history/changepoint.hpp"
#include "variance/history/energy_table.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/numbers/summary.hpp"

namespace retrial::variance::inline history {
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
