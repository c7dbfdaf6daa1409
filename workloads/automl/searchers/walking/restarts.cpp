#include "workloads/automl/searchers/walking/restarts.hpp"

#include <algorithm>

#include "variance/random/rng.hpp"
#include "workloads/automl/streams/streams.hpp"

namespace retrial::automl::inline searchers::inline walking {
namespace {

constexpr double margin = 0.1;  // around what was seen; the spread of a coordinate that has not moved

}  // namespace

void ExploredBox::add(const Coordinates& point) {
  if (low_.empty()) low_ = high_ = point;
  for (std::size_t i = 0; i < point.size(); ++i) {
    low_[i] = std::min(low_[i], point[i]);
    high_[i] = std::max(high_[i], point[i]);
  }
}

void ExploredBox::widen(double by) {
  for (double& z : low_) z -= by;
  for (double& z : high_) z += by;
}

bool ExploredBox::contains(const Coordinates& point, double around) const {
  for (std::size_t i = 0; i < point.size(); ++i)
    if (point[i] < low_[i] - around || point[i] > high_[i] + around) return false;
  return true;
}

double ExploredBox::clipped(std::size_t i, double value, double around) const {
  return std::clamp(std::clamp(value, low_[i] - around, high_[i] + around), 0.0, 1.0);
}

Restarts::Restarts(const Space& space, const Draws& draws, RestartRule rule, const Chosen& first)
    : space_(space), draws_(draws), rule_(rule), first_(first) {
  box_.add(space.normalised(first));
}

Chosen Restarts::next(std::uint64_t number) {
  const auto key = stream_key(draws_.seed, "restart", draws_.learner, number, 0);
  Coordinates point = space_.normalised(first_);
  if (rule_ == RestartRule::cfo) box_.widen(margin);
  for (std::size_t i = 0; i < point.size(); ++i) {
    const double drawn = variance::normal(word(key, i));
    if (rule_ != RestartRule::cfo) {
      point[i] += drawn;
    } else if (space_.tuned(i).kind != Hyperparameter::Kind::choice) {
      const double spread = box_.width(i) > 0 ? box_.width(i) : margin;
      point[i] = box_.clipped(i, point[i] + spread * drawn, margin);
    }
  }
  return space_.chosen_at(projected(std::move(point)), first_, key);
}

}  // namespace retrial::automl::inline searchers::inline walking
