#include "workloads/rl/agents/advantages.hpp"

#include <cmath>
#include <numeric>

namespace retrial::rl::inline agents {
namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sum_of_squares(std::span<const double> values) {
  const double center = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - center) * (value - center);
  return sum;
}

}  // namespace

std::vector<double> advantages(std::span<const double> rewards, std::span<const double> values,
                               std::span<const bool> ended, double next_value, double gamma, double lambda) {
  std::vector<double> made(rewards.size());
  double after = 0;
  for (std::size_t t = rewards.size(); t-- > 0;) {
    const double goes_on = ended[t] ? 0 : 1, next = t + 1 < values.size() ? values[t + 1] : next_value;
    after = rewards[t] + gamma * next * goes_on - values[t] + gamma * lambda * goes_on * after;
    made[t] = after;
  }
  return made;
}

std::vector<double> normalised(std::span<const double> advantages) {
  std::vector<double> made(advantages.begin(), advantages.end());
  if (made.size() < 2) return made;
  const double center = mean(made), sd = std::sqrt(sum_of_squares(made) / static_cast<double>(made.size() - 1));
  for (double& value : made) value = (value - center) / (sd + 1e-8);
  return made;
}

std::optional<double> explained_variance(std::span<const double> returns, std::span<const double> values) {
  const double all = sum_of_squares(returns);
  if (!(all > 0)) return std::nullopt;
  std::vector<double> rest(returns.size());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = returns[i] - values[i];
  return 1 - sum_of_squares(rest) / all;
}

Movement movement(std::span<const double> log_ratios, double clip) {
  Movement sum;
  for (const double log_ratio : log_ratios) {
    const double ratio = std::exp(log_ratio);
    sum.k1 -= log_ratio;
    sum.k3 += ratio - 1 - log_ratio;
    sum.clip_fraction += std::fabs(ratio - 1) > clip ? 1 : 0;
  }
  const auto n = static_cast<double>(log_ratios.size());
  return {sum.k1 / n, sum.k3 / n, sum.clip_fraction / n};
}

}  // namespace retrial::rl::inline agents
