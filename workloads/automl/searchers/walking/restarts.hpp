#pragma once

#include "workloads/automl/searchers/proposals/sampler.hpp"

/// Where a walk that has ended starts again.
namespace retrial::automl::inline searchers::inline walking {

/// paper: normal around the first start, with a larger first step each time. cfo: the first start disturbed within what
/// was seen so far (FLAML's CFO). none: nowhere.
enum class RestartRule { paper, cfo, none };

/// The box around the points of a walk.
class ExploredBox {
 public:
  void add(const Coordinates& point);
  void widen(double by);
  [[nodiscard]] bool contains(const Coordinates& point, double margin) const;
  [[nodiscard]] double width(std::size_t dimension) const { return high_[dimension] - low_[dimension]; }
  /// Into the box with a margin, and into [0, 1].
  [[nodiscard]] double clipped(std::size_t dimension, double value, double margin) const;

 private:
  Coordinates low_, high_;
};

class Restarts {
 public:
  Restarts(const Space& space, const Draws& draws, RestartRule rule, const Chosen& first);
  [[nodiscard]] bool any() const { return rule_ != RestartRule::none; }
  void seen(const Coordinates& point) { box_.add(point); }
  /// Draws: normals of S(hopt, restart, learner, number, 0). Numbers count from 1.
  [[nodiscard]] Chosen next(std::uint64_t number);
  /// What is added to the first step after so many restarts.
  [[nodiscard]] double longer(std::uint64_t number) const {
    return rule_ == RestartRule::paper ? static_cast<double>(number) : 0;
  }

 private:
  Space space_;
  Draws draws_;
  RestartRule rule_;
  Chosen first_;
  ExploredBox box_;
};

}  // namespace retrial::automl::inline searchers::inline walking
