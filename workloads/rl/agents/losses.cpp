#include "workloads/rl/agents/losses.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace retrial::rl::inline agents {

Loss clipped_surrogate(double log_ratio, double advantage, double clip) {
  const double ratio = std::exp(log_ratio), free = -advantage * ratio,
               bounded = -advantage * std::clamp(ratio, 1 - clip, 1 + clip);
  return free >= bounded || std::isnan(free) ? Loss{free, free} : Loss{bounded, 0};
}

Loss plain_surrogate(double log_probability, double advantage) {
  return {-advantage * log_probability, -advantage};
}

Loss value_loss(double value, double target) {
  const double error = value - target;
  return {.5 * error * error, error};
}

Loss clipped_value_loss(double value, double old_value, double target, double clip) {
  const Loss free = value_loss(value, target);
  const double moved = value - old_value, bounded_move = std::clamp(moved, -clip, clip);
  Loss bounded = value_loss(old_value + bounded_move, target);
  if (moved != bounded_move) bounded.slope = 0;
  return free.value >= bounded.value || std::isnan(free.value) ? free : bounded;
}

Loss huber_loss(double difference) {
  const double size = std::fabs(difference);
  return size < 1 ? Loss{.5 * difference * difference, difference}
                  : Loss{size - .5, std::copysign(std::isnan(difference) ? difference : 1.0, difference)};
}

Categorical::Categorical(std::span<const float> logits) : log_probabilities_(logits.begin(), logits.end()) {
  const double top = *std::ranges::max_element(log_probabilities_);
  double sum = 0;
  for (const double logit : log_probabilities_) sum += std::exp(logit - top);
  const double log_sum = top + std::log(sum);
  for (double& value : log_probabilities_) {
    value -= log_sum;
    const double p = std::exp(value);
    if (p > 0) entropy_ -= p * value;
  }
}

std::size_t Categorical::chosen(double u) const {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < choices(); ++i) {
    sum += std::exp(log_probabilities_[i]);
    if (sum > u) return i;
  }
  return choices() - 1;
}

void Categorical::add_gradient(std::size_t choice, double by_log_probability, double by_entropy,
                               std::span<float> to) const {
  for (std::size_t i = 0; i < choices(); ++i) {
    const double p = std::exp(log_probabilities_[i]);
    const double of_entropy = p > 0 ? -p * (log_probabilities_[i] + entropy_) : 0;
    to[i] += static_cast<float>(by_log_probability * ((i == choice ? 1 : 0) - p) + by_entropy * of_entropy);
  }
}

double log_density(double z, double log_sd) {
  return -.5 * z * z - log_sd - .5 * std::log(2 * std::numbers::pi);
}

double entropy_of_normal(double log_sd) {
  return .5 + .5 * std::log(2 * std::numbers::pi) + log_sd;
}

double log_squash(double u) {
  const double x = -2 * u, softplus = std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
  return 2 * (std::numbers::ln2 - u - softplus);
}

std::size_t best_place(std::span<const float> values) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] > values[best] || (std::isnan(values[best]) && !std::isnan(values[i]))) best = i;
  return best;
}

}  // namespace retrial::rl::inline agents
