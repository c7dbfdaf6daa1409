#pragma once

#include <span>
#include <vector>

/// Losses of the on-policy algorithms with their gradients, one row at a time and in double precision: the networks are
/// differentiated by LibTorch from here on.
namespace retrial::rl::inline agents {

/// A value and its derivative.
struct Loss {
  double value = 0, slope = 0;
};

/// max(-A ratio, -A clip(ratio, 1 - c, 1 + c)); the slope is that by the log probability.
[[nodiscard]] Loss clipped_surrogate(double log_ratio, double advantage, double clip);
/// -A log p: the slope is that by the log probability.
[[nodiscard]] Loss plain_surrogate(double log_probability, double advantage);
/// Half of the squared error; the slope is that by the value.
[[nodiscard]] Loss value_loss(double value, double target);
/// Half of the larger squared error, with the value and with one within `clip` of the old value.
[[nodiscard]] Loss clipped_value_loss(double value, double old_value, double target, double clip);
/// Half of the square within 1 of 0, linear outside: Huber's.
[[nodiscard]] Loss huber_loss(double difference);

/// A distribution over choices by its logits.
class Categorical {
 public:
  explicit Categorical(std::span<const float> logits);
  [[nodiscard]] std::size_t choices() const { return log_probabilities_.size(); }
  /// The smallest choice whose cumulated probability is above u, the last one if rounding leaves none.
  [[nodiscard]] std::size_t chosen(double u) const;
  [[nodiscard]] double log_probability(std::size_t choice) const { return log_probabilities_[choice]; }
  [[nodiscard]] double entropy() const { return entropy_; }
  /// Adds to the gradient by the logits: `by_log_probability` and `by_entropy` are the slopes of a loss.
  void add_gradient(std::size_t choice, double by_log_probability, double by_entropy, std::span<float> to) const;

 private:
  std::vector<double> log_probabilities_;
  double entropy_ = 0;
};

/// log of the normal density of z = (x - mean) / sd, with the logarithm of sd.
[[nodiscard]] double log_density(double z, double log_sd);
/// Of one normal with this log_sd.
[[nodiscard]] double entropy_of_normal(double log_sd);
/// 2 (log 2 - u - softplus(-2 u)) = log(1 - tanh(u)^2), finite for large |u|.
[[nodiscard]] double log_squash(double u);

/// The place of the largest number; NaN ranks last, the first of equal ones wins.
[[nodiscard]] std::size_t best_place(std::span<const float> values);

}  // namespace retrial::rl::inline agents
