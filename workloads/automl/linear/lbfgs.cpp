#include "workloads/automl/linear/lbfgs.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

namespace retrial::automl::inline linear {
namespace {

constexpr std::size_t kept_updates = 10;
constexpr double sufficient_decrease = 1e-4, flatter_slope = 0.9;  // the two Wolfe constants
constexpr int max_trials = 40;                                     // of a line search

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double largest_size(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::fabs(value));
  return most;
}

struct Visited {
  std::vector<double> at, gradient;
  double value = 0;
};

struct Update {
  std::vector<double> step, change;  // of the point and of its gradient
  double product = 0;
};

/// Points on one line.
class LineSearch {
 public:
  LineSearch(const Objective& objective, const Visited& start, std::span<const double> direction)
      : objective_(objective), start_(start), direction_(direction), slope_(dot(start.gradient, direction)) {}

  /// False where no step was found.
  bool search(Visited& found) {
    double low = 0, low_value = start_.value, step = 1, high = 0;
    bool bracketed = false;
    for (int trial = 0; trial < max_trials; ++trial) {
      go(step, found);
      const double slope = dot(found.gradient, direction_);
      const bool too_far =
          !(found.value <= start_.value + sufficient_decrease * step * slope_) || (low > 0 && found.value >= low_value);
      if (!too_far && std::fabs(slope) <= -flatter_slope * slope_) return true;
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
  void go(double step, Visited& to) const {
    to.at.resize(start_.at.size());
    to.gradient.resize(start_.at.size());
    for (std::size_t i = 0; i < to.at.size(); ++i) to.at[i] = start_.at[i] + step * direction_[i];
    to.value = objective_(to.at, to.gradient);
  }

  const Objective& objective_;
  const Visited& start_;
  std::span<const double> direction_;
  double slope_;
};

/// The two loops: the inverse Hessian of the updates times the gradient, negated.
std::vector<double> direction_at(const Visited& point, const std::deque<Update>& updates) {
  std::vector<double> direction = point.gradient;
  std::vector<double> shares(updates.size());
  for (std::size_t i = updates.size(); i-- > 0;) {
    shares[i] = dot(updates[i].step, direction) / updates[i].product;
    for (std::size_t j = 0; j < direction.size(); ++j) direction[j] -= shares[i] * updates[i].change[j];
  }
  const double scale = updates.empty() ? 1.0 / std::max(1.0, largest_size(point.gradient))
                                       : updates.back().product / dot(updates.back().change, updates.back().change);
  for (double& entry : direction) entry *= scale;
  for (std::size_t i = 0; i < updates.size(); ++i) {
    const double share = shares[i] - dot(updates[i].change, direction) / updates[i].product;
    for (std::size_t j = 0; j < direction.size(); ++j) direction[j] += share * updates[i].step[j];
  }
  for (double& entry : direction) entry = -entry;
  return direction;
}

}  // namespace

Minimum lbfgs(const Objective& objective, std::vector<double> start, double tolerance, std::int64_t max_iterations) {
  Visited point{.at = std::move(start), .gradient = {}};
  point.gradient.resize(point.at.size());
  point.value = objective(point.at, point.gradient);
  std::deque<Update> updates;
  std::int64_t iteration = 0;
  for (; iteration < max_iterations && largest_size(point.gradient) > tolerance; ++iteration) {
    const std::vector<double> direction = direction_at(point, updates);
    Visited next;
    if (!LineSearch(objective, point, direction).search(next)) break;
    Update update{.step = next.at, .change = next.gradient};
    for (std::size_t i = 0; i < update.step.size(); ++i) {
      update.step[i] -= point.at[i];
      update.change[i] -= point.gradient[i];
    }
    update.product = dot(update.step, update.change);
    if (update.product > 0) updates.push_back(std::move(update));
    if (updates.size() > kept_updates) updates.pop_front();
    point = std::move(next);
  }
  return {std::move(point.at), iteration};
}

}  // namespace retrial::automl::inline linear
