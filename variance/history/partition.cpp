#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/history/changepoint.hpp"
#include "variance/numbers/check.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline history {
namespace {

/// Sums of squared distances from the mean of any segment in constant time, from running sums about a common center.
class Costs {
 public:
  explicit Costs(std::span<const double> values) : sums_{0.0}, squares_{0.0} {
    const double center = mean(values).value_or(0.0);
    for (const double x : values) {
      sums_.push_back(sums_.back() + (x - center));
      squares_.push_back(squares_.back() + (x - center) * (x - center));
    }
  }
  [[nodiscard]] double operator()(std::size_t from, std::size_t to) const {
    const double sum = sums_[to] - sums_[from];
    return std::max(0.0, squares_[to] - squares_[from] - sum * sum / static_cast<double>(to - from));
  }

 private:
  std::vector<double> sums_, squares_;
};

}  // namespace

Partition optimal_partition(std::span<const double> values, double penalty, std::size_t min_segment) {
  require_finite("values", values);
  require_not_negative("penalty", penalty);
  require_at_least("min_segment", static_cast<std::int64_t>(min_segment), 1);
  const std::size_t n = values.size();
  if (n == 0) return {};
  const Costs cost(values);
  constexpr double none = std::numeric_limits<double>::infinity();
  std::vector<double> best(n + 1, none);  // best sum for the first t values, with one penalty too few
  std::vector<std::size_t> last(n + 1, 0), expires(n + 1, std::numeric_limits<std::size_t>::max()), candidates{0};
  best[0] = -penalty;
  for (std::size_t t = std::min(min_segment, n); t <= n; ++t) {
    for (const std::size_t s : candidates) {
      if (s > 0 && t - s < min_segment) continue;
      const double total = best[s] + cost(s, t) + penalty;
      if (total < best[t]) {
        best[t] = total;
        last[t] = s;
      }
    }
    // A start that is no better than a change here cannot win once a segment that starts here may end.
    for (const std::size_t s : candidates)
      if (best[s] + cost(s, t) > best[t]) expires[s] = std::min(expires[s], t + min_segment);
    std::erase_if(candidates, [&](std::size_t s) { return expires[s] <= t + 1; });
    candidates.push_back(t);
  }
  Partition partition{.objective = best[n]};
  for (std::size_t t = n; last[t] > 0; t = last[t]) partition.changes.push_back(last[t]);
  std::ranges::reverse(partition.changes);
  return partition;
}

double robust_penalty(std::span<const double> values, double weight) {
  require_finite("values", values);
  require_positive("weight", weight);
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(std::fabs(values[i] - values[i - 1]));
  if (steps.empty()) return 0.0;
  const double s = 1.4826 * *median(steps) / std::sqrt(2.0);
  return weight * s * s * std::log(static_cast<double>(values.size()));
}

}  // namespace retrial::variance::inline history
