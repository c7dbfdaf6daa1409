#include <algorithm>
#include <cmath>

#include "variance/bootstrap/bootstrap.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline bootstrap {

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

double ExactLaw::quantile(double q) const {
  Neumaier reached;
  for (const auto& point : points_) {
    reached.add(point.weight);
    // A step of the law that ends at q itself may be an ulp below it.
    if (reached.value() >= q - 1e-13) return point.value;
  }
  return points_.back().value;
}

ExactLaw convolved(const ExactLaw& a, const ExactLaw& b) {
  std::vector<WeightedPoint> points;
  points.reserve(a.points().size() * b.points().size());
  for (const auto& x : a.points())
    for (const auto& y : b.points()) points.push_back({x.value + y.value, x.weight * y.weight});
  return ExactLaw(std::move(points));
}

}  // namespace retrial::variance::inline bootstrap
