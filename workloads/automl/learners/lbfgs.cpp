#include "workloads/automl/learners/lbfgs.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

namespace retrial::automl::inline learners {
namespace {

constexpr std::size_t memory = 10;
constexpr double decrease = 1e-4, flatter = 0.9;  // the two Wolfe constants
constexpr int max_trials = 40;                    // of a line search

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double largest(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::fabs(value));
  return most;
}

struct Point {
  std::vector<double> at, gradient;
  double value = 0;
};

struct Pair {
  std::vector<double> step, change;  // of the point and of its gradient
  double product = 0;
};

/// Points on one line.
class Line {
 public:
  Line(const Objective& objective, const Point& start, std::span<const double> direction)
      : objective_(objective), start_(start), direction_(direction), slope_(product(start.gradient, direction)) {}

  /// False where no step was found.
  bool search(Point& found) {
    double low = 0, low_value = start_.value, step = 1, high = 0;
    bool bracketed = false;
    for (int trial = 0; trial < max_trials; ++trial) {
      go(step, found);
      const double slope = product(found.gradient, direction_);
      const bool too_far =
          !(found.value <= start_.value + decrease * step * slope_) || (low > 0 && found.value >= low_value);
      if (!too_far && std::fabs(slope) <= -flatter * slope_) return true;
      if (too_far || slope >= 0) {
        high = step;
        bracketed = true;
      } else {
        low = step;
        low_value = found.value;
      }
      step = bracketed ? (low + high) / 2 : 2 * step;
      if (bracketed && high - low <= 1e-16 * high) break;
    }
    // The strong condition cannot be met in double precision: any decrease will do.
    if (low > 0) go(low, found);
    return low > 0 && found.value < start_.value;
  }

 private:
  void go(double step, Point& to) const {
    to.at.resize(start_.at.size());
    to.gradient.resize(start_.at.size());
    for (std::size_t i = 0; i < to.at.size(); ++i) to.at[i] = start_.at[i] + step * direction_[i];
    to.value = objective_(to.at, to.gradient);
  }

  const Objective& objective_;
  const Point& start_;
  std::span<const double> direction_;
  double slope_;
};

/// The two loops: the inverse Hessian of the pairs times the gradient, negated.
std::vector<double> direction_at(const Point& point, const std::deque<Pair>& pairs) {
  std::vector<double> direction = point.gradient;
  std::vector<double> shares(pairs.size());
  for (std::size_t i = pairs.size(); i-- > 0;) {
    shares[i] = product(pairs[i].step, direction) / pairs[i].product;
    for (std::size_t j = 0; j < direction.size(); ++j) direction[j] -= shares[i] * pairs[i].change[j];
  }
  const double scale = pairs.empty() ? 1.0 / std::max(1.0, largest(point.gradient))
                                     : pairs.back().product / product(pairs.back().change, pairs.back().change);
  for (double& entry : direction) entry *= scale;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double share = shares[i] - product(pairs[i].change, direction) / pairs[i].product;
    for (std::size_t j = 0; j < direction.size(); ++j) direction[j] += share * pairs[i].step[j];
  }
  for (double& entry : direction) entry = -entry;
  return direction;
}

}  // namespace

Minimum lbfgs(const Objective& objective, std::vector<double> start, double tolerance, std::int64_t max_iterations) {
  Point point{.at = std::move(start), .gradient = {}};
  point.gradient.resize(point.at.size());
  point.value = objective(point.at, point.gradient);
  std::deque<Pair> pairs;
  std::int64_t iteration = 0;
  for (; iteration < max_iterations && largest(point.gradient) > tolerance; ++iteration) {
    const std::vector<double> direction = direction_at(point, pairs);
    Point next;
    if (!Line(objective, point, direction).search(next)) break;
    Pair pair{.step = next.at, .change = next.gradient};
    for (std::size_t i = 0; i < pair.step.size(); ++i) {
      pair.step[i] -= point.at[i];
      pair.change[i] -= point.gradient[i];
    }
    pair.product = product(pair.step, pair.change);
    if (pair.product > 0) pairs.push_back(std::move(pair));
    if (pairs.size() > memory) pairs.pop_front();
    point = std::move(next);
  }
  return {std::move(point.at), iteration};
}

}  // namespace retrial::automl::inline learners
