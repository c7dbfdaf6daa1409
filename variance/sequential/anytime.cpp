#include "variance/sequential/anytime.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "variance/comparisons/least_p.hpp"
#include "variance/numbers/check.hpp"
#include "variance/samples/summary.hpp"
#include "variance/sequential/confidence_sequences.hpp"
#include "variance/sequential/sequential_rules.hpp"

namespace retrial::variance::inline sequential {

double log_t_e(double t, std::int64_t n, double g) {
  require_at_least("n", n, 2);
  require_positive("g", g);
  const double count = static_cast<double>(n), df = count - 1.0, inflation = 1.0 + count * g;
  const double u = t * t / df;
  const double odds = std::isinf(u) ? std::log(inflation) : std::log1p(u) - std::log1p(u / inflation);
  return -0.5 * std::log(inflation) + 0.5 * (df + 1.0) * odds;
}

double log_sign_e(std::span<const double> values, double tie) {
  constexpr std::array effects{-2.0, -1.0, -0.5, -0.25, 0.25, 0.5, 1.0, 2.0};
  require_finite("values", values);
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  std::array<double, effects.size()> log_e{};
  double squares = 0.0, count = 0.0;
  for (const double value : values) {
    if (std::fabs(value) <= tie) continue;
    const double size = value / largest;
    squares += size * size, count += 1.0;
    for (std::size_t k = 0; k < effects.size(); ++k) {
      // e^x / cosh x: its mean over both signs is 1
      const double x = effects[k] * size / std::sqrt(squares / count);
      log_e[k] += x - std::fabs(x) - std::log1p(std::exp(-2.0 * std::fabs(x))) + std::numbers::ln2;
    }
  }
  const double most = std::ranges::max(log_e);
  double sum = 0.0;
  for (const double each : log_e) sum += std::exp(each - most);
  return most + std::log(sum / static_cast<double>(effects.size()));
}

std::optional<double> t_boundary(std::int64_t n, double alpha, double g) {
  require_at_least("n", n, 2);
  require_positive("g", g);
  require_between("alpha", alpha, 0.0, 1.0);
  // (1 + u) / (1 + u / inflation) = ratio, solved for u = t^2 / (n - 1)
  const double count = static_cast<double>(n), inflation = 1.0 + count * g;
  const double ratio = std::exp(2.0 * (0.5 * std::log(inflation) - std::log(alpha)) / count);
  if (ratio >= inflation) return std::nullopt;
  return std::sqrt((count - 1.0) * (ratio - 1.0) / (1.0 - ratio / inflation));
}

Estimate t_sequence(std::span<const double> values, double alpha, double g) {
  require_finite("values", values);
  Estimate result{
      .point = mean(values).value_or(0.0), .low = {}, .high = {}, .level = 1.0 - alpha, .method = "anytime t"};
  const auto n = static_cast<std::int64_t>(values.size());
  if (n < 2) return result;
  const auto boundary = t_boundary(n, alpha, g);
  if (!boundary) return result;
  const double radius = *boundary * *sd(values) / std::sqrt(static_cast<double>(n));
  result.low = result.point - radius;
  result.high = result.point + radius;
  return result;
}

double predictable_variance(std::span<const double> values) {
  double sum = 0.0, total = 0.0, guess = 0.5;
  for (std::size_t i = 0; i < values.size(); ++i) {
    total += (values[i] - guess) * (values[i] - guess);
    sum += values[i];
    guess = sum / static_cast<double>(i + 1);
  }
  return total;
}

Estimate bernstein_sequence(std::span<const double> values, double alpha, double v_opt) {
  require_finite("values", values);
  require_between("alpha", alpha, 0.0, 1.0);
  Estimate result{.point = mean(values).value_or(0.5),
                  .low = 0.0,
                  .high = 1.0,
                  .level = 1.0 - alpha,
                  .method = "empirical Bernstein"};
  if (values.empty()) return result;
  // Scores equal to their running mean have no variance yet; the boundary is then taken at an earlier time.
  constexpr double min_time = 1e-6;
  const double v = std::max(min_time, predictable_variance(values));
  const Mixture mixture{.kind = MixtureKind::gamma_exponential, .v_opt = v_opt};
  const double radius = mixture_bound(mixture, v, alpha / 2.0) / static_cast<double>(values.size());
  result.low = std::max(0.0, result.point - radius);
  result.high = std::min(1.0, result.point + radius);
  return result;
}

namespace sequential_rules {

namespace {

/// Differences that spread by no more than a tie have no spread; if all are ties, there is no evidence.
double t_statistic_of(Differences so_far, double tie) {
  const auto [low, high] = std::ranges::minmax(so_far);
  const double center = *mean(so_far), deviation = *sd(so_far);
  if (high - low > tie && deviation > 0.0) return center * std::sqrt(static_cast<double>(so_far.size())) / deviation;
  return std::fabs(center) <= tie ? 0.0 : std::copysign(std::numeric_limits<double>::infinity(), center);
}

/// The bounds of t, none of which excludes 0.
Estimate with_zero(Estimate interval) {
  if (interval.low) interval.low = std::min(*interval.low, 0.0);
  if (interval.high) interval.high = std::max(*interval.high, 0.0);
  return interval;
}

}  // namespace

/// Differences that repeat are not normal: five of plus or minus one agree in one study of sixteen. Then their signs
/// must decide too.
Steps t_anytime(Differences differences, const SequentialSettings& s) {
  return walk_differences(differences, s, [&](SequentialStep& step, Differences so_far) {
    step.interval = t_sequence(so_far, s.alpha, s.g);
    if (step.pairs < 2) return;
    const double t = t_statistic_of(so_far, s.tie);
    if (std::isfinite(t))
      step.statistic = t;
    else
      step.note = "degenerate";
    step.boundary = t_boundary(step.pairs, s.alpha, s.g);
    if (step.boundary) step.boundary_against = -*step.boundary;
    step.log_e = log_t_e(t, step.pairs, s.g);
    const double decisive = -std::log(s.alpha);
    if (*step.log_e < decisive) return;
    if (least_p_of_signs(so_far, s.tie).repeats) *step.log_e = std::min(*step.log_e, log_sign_e(so_far, s.tie));
    if (*step.log_e < decisive)
      step.interval = with_zero(step.interval);
    else
      decide(step, t > 0.0 ? Status::better : Status::worse);
  });
}

Steps bernstein(Differences differences, const SequentialSettings& s) {
  const UnitScale scale = unit_scale_of(s);
  std::vector<double> units;
  return walk_differences(differences, s, [&](SequentialStep& step, Differences so_far) {
    units.push_back(scale.unit(so_far.back()));
    step.interval = scale.back(bernstein_sequence(units, s.alpha));
    step.statistic = step.interval.point;
    step.boundary = step.interval.point - *step.interval.low;
    step.boundary_against = step.interval.point - *step.interval.high;
    if (*step.interval.low > 0.0) decide(step, Status::better);
    if (*step.interval.high < 0.0) decide(step, Status::worse);
  });
}

}  // namespace sequential_rules

}  // namespace retrial::variance::inline sequential
