#pragma once

#include "workloads/rl/env/environment.hpp"

namespace retrial::rlenv {

/// Mean and variance of everything seen, by Welford's update, one value at a time.
struct RunningMoments {
  double count = 0, mean = 0, squares = 0;
  void add(double value);
  /// Of the population; 1 before the first value.
  [[nodiscard]] double variance() const { return count > 0 ? squares / count : 1; }
  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);
};

/// Observations minus their running mean, divided by their running deviation, within -10 and 10: each element by
/// itself.
class ObservationNormaliser {
 public:
  explicit ObservationNormaliser(std::size_t elements) : moments_(elements) {}
  /// Rows of observations that were seen; they move the moments.
  void learn(std::span<const float> rows);
  /// Moves nothing.
  void apply(std::span<float> rows) const;
  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);

 private:
  std::vector<RunningMoments> moments_;
};

/// Rewards divided by the running deviation of the discounted return, within -10 and 10.
class RewardScaler {
 public:
  RewardScaler(std::size_t environments, double gamma) : gamma_(gamma), returns_(environments) {}
  [[nodiscard]] double scaled(std::size_t environment, const Step& step);
  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);

 private:
  double gamma_;
  std::vector<double> returns_;
  RunningMoments moments_;
};

}  // namespace retrial::rlenv
