#include "workloads/rl/env/normaliser.hpp"

#include <algorithm>
#include <cmath>

namespace retrial::rlenv {
namespace {

constexpr double least_variance = 1e-8, most = 10;

double bounded_ratio(double value, double variance) {
  return std::clamp(value / std::sqrt(variance + least_variance), -most, most);
}

}  // namespace

void RunningMoments::add(double value) {
  count += 1;
  const double before = value - mean;
  mean += before / count;
  squares += before * (value - mean);
}

void RunningMoments::save(nn::StateWriter& to) const {
  to.real("count", count);
  to.real("mean", mean);
  to.real("squares", squares);
}

void RunningMoments::load(nn::StateReader& from) {
  count = from.real("count");
  mean = from.real("mean");
  squares = from.real("squares");
}

void ObservationNormaliser::learn(std::span<const float> rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) moments_[i % moments_.size()].add(rows[i]);
}

void ObservationNormaliser::apply(std::span<float> rows) const {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RunningMoments& seen = moments_[i % moments_.size()];
    rows[i] = static_cast<float>(bounded_ratio(rows[i] - seen.mean, seen.variance()));
  }
}

void ObservationNormaliser::save(nn::StateWriter& to) const {
  for (const RunningMoments& moments : moments_) moments.save(to);
}

void ObservationNormaliser::load(nn::StateReader& from) {
  for (RunningMoments& moments : moments_) moments.load(from);
}

double RewardScaler::scaled(std::size_t environment, const Step& step) {
  double& sum = returns_[environment];
  sum = sum * gamma_ + step.reward;
  moments_.add(sum);
  if (step.ends()) sum = 0;
  return bounded_ratio(step.reward, moments_.variance());
}

void RewardScaler::save(nn::StateWriter& to) const {
  for (const double sum : returns_) to.real("return", sum);
  moments_.save(to);
}

void RewardScaler::load(nn::StateReader& from) {
  for (double& sum : returns_) sum = from.real("return");
  moments_.load(from);
}

}  // namespace retrial::rlenv
