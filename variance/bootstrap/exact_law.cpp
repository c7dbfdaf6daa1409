#include <algorithm>
#include <cmath>
#include <numeric>

#include "variance/bootstrap/bootstrap.hpp"
#include "variance/bootstrap/stratified.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/sum.hpp"
#include "variance/numbers/summary.hpp"

namespace retrial::variance::inline bootstrap {
namespace {

constexpr std::size_t max_enumerated_values = 10;
constexpr std::int64_t max_steps = std::int64_t{1} << 20;
constexpr double max_work = 1e9;  // additions of the convolution: about a second

/// Mean of the drawn runs of one task.
class DrawnMean {
 public:
  explicit DrawnMean(std::span<const double> values) : values_(values) {}
  void reset() { sum_ = 0.0; }
  void add(std::uint32_t, std::uint32_t, std::uint32_t run) { sum_ += values_[run]; }
  [[nodiscard]] double value() const { return sum_ / static_cast<double>(values_.size()); }

 private:
  std::span<const double> values_;
  double sum_ = 0.0;
};

struct Grid {
  std::int64_t origin, step;
  double scale;  ///< value = (origin + step * place) / scale
  std::vector<std::int64_t> places;
};

/// Decimal data as whole steps from their smallest value; absent if ten decimal places are not enough.
std::optional<Grid> grid_of(std::span<const double> values) {
  double scale = 1.0;
  for (int places = 0; places <= 10; ++places, scale *= 10.0) {
    const bool whole = std::ranges::all_of(values, [&](double x) {
      return std::fabs(x * scale) < 1e15 && std::fabs(x * scale - std::round(x * scale)) <= 1e-9 * std::fabs(x * scale);
    });
    if (!whole) continue;
    Grid grid{.scale = scale};
    for (const double x : values) grid.places.push_back(std::llround(x * scale));
    grid.origin = *std::ranges::min_element(grid.places);
    grid.step = 0;
    for (std::int64_t& place : grid.places) grid.step = std::gcd(grid.step, place -= grid.origin);
    if (grid.step == 0) grid.step = 1;
    for (std::int64_t& place : grid.places) place /= grid.step;
    return grid;
  }
  return std::nullopt;
}

std::optional<ExactLaw> on_grid(std::span<const double> values) {
  const auto grid = grid_of(values);
  if (!grid) return std::nullopt;
  const auto n = static_cast<std::int64_t>(values.size());
  const std::int64_t widest = *std::ranges::max_element(grid->places);
  if (widest > max_steps / n) return std::nullopt;
  const double count = static_cast<double>(n);
  if (count * count * count * static_cast<double>(widest + 1) > max_work) return std::nullopt;
  std::vector<double> law{1.0};
  for (std::int64_t draw = 0; draw < n; ++draw) {
    std::vector<double> next(law.size() + static_cast<std::size_t>(widest));
    for (const std::int64_t place : grid->places)
      for (std::size_t s = 0; s < law.size(); ++s) next[s + static_cast<std::size_t>(place)] += law[s] / count;
    law = std::move(next);
  }
  std::vector<WeightedPoint> points;
  for (std::size_t s = 0; s < law.size(); ++s) {
    if (law[s] == 0.0) continue;
    const double whole = static_cast<double>(n * grid->origin + grid->step * static_cast<std::int64_t>(s));
    points.push_back({whole / grid->scale / count, law[s]});
  }
  return ExactLaw(std::move(points));
}

}  // namespace

ExactLaw::ExactLaw(std::vector<WeightedPoint> points) : points_(std::move(points)) {
  std::sort(points_.begin(), points_.end(),
            [](const auto& a, const auto& b) { return a.value != b.value ? a.value < b.value : a.weight < b.weight; });
  double largest = 0.0;
  for (const auto& point : points_) largest = std::max(largest, std::fabs(point.value));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (kept > 0 && points_[i].value - points_[kept - 1].value <= 1e-12 * largest)
      points_[kept - 1].weight += points_[i].weight;
    else
      points_[kept++] = points_[i];
  }
  points_.resize(kept);
}

double ExactLaw::mean() const {
  Neumaier sum;
  for (const auto& point : points_) sum.add(point.value * point.weight);
  return sum.value();
}

double ExactLaw::quantile(double q) const {
  Neumaier reached;
  for (const auto& point : points_) {
    reached.add(point.weight);
    // A step of the law that ends at q itself may be an ulp below it.
    if (reached.value() >= q - 1e-13) return point.value;
  }
  return points_.back().value;
}

Estimate ExactLaw::interval(double statistic, double alpha) const {
  return {.point = statistic,
          .low = quantile(alpha / 2.0),
          .high = quantile(1.0 - alpha / 2.0),
          .level = 1.0 - alpha,
          .method = "exact percentile bootstrap"};
}

ExactLaw convolved(const ExactLaw& a, const ExactLaw& b) {
  std::vector<WeightedPoint> points;
  points.reserve(a.points().size() * b.points().size());
  for (const auto& x : a.points())
    for (const auto& y : b.points()) points.push_back({x.value + y.value, x.weight * y.weight});
  return ExactLaw(std::move(points));
}

std::optional<ExactLaw> exact_mean_bootstrap(std::span<const double> values) {
  require_at_least("values", static_cast<std::int64_t>(values.size()), 1);
  require_finite("values", values);
  if (values.size() > max_enumerated_values) return on_grid(values);
  DrawnMean accumulator(values);
  const std::vector<std::uint32_t> sizes{static_cast<std::uint32_t>(values.size())};
  return Enumeration(std::span<const std::uint32_t>(sizes), accumulator).law();
}

}  // namespace retrial::variance::inline bootstrap
