#pragma once

#include <algorithm>

#include "variance/sequential/sequential_rules.hpp"

/// The loop of the rules on differences that decide after every pair. Internal to this folder.
namespace retrial::variance::inline sequential::sequential_rules {

/// Rules on differences: `judge` fills a step from the differences so far; an undecided step at the horizon ends the
/// run.
template <typename Judge>
Steps walk_differences(Differences differences, const SequentialSettings& s, Judge&& judge) {
  Steps steps;
  SequentialStep step;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    step = counted(step, differences[i], s.tie);
    judge(step, differences.first(i + 1));
    if (step.state == SequentialState::go_on && s.horizon && step.pairs >= *s.horizon)
      decide(step, Status::inconclusive);
    steps.push_back(step);
    if (step.state != SequentialState::go_on) break;
  }
  return steps;
}

/// Maps the declared range of the differences to [0, 1].
struct UnitScale {
  double low, width;
  [[nodiscard]] double unit(double d) const { return std::clamp((d - low) / width, 0.0, 1.0); }
  [[nodiscard]] Estimate back(Estimate e) const {
    e.point = low + width * e.point;
    if (e.low) e.low = low + width * *e.low;
    if (e.high) e.high = low + width * *e.high;
    return e;
  }
};
[[nodiscard]] inline UnitScale unit_scale_of(const SequentialSettings& settings) {
  return {*settings.low, *settings.high - *settings.low};
}

}  // namespace retrial::variance::inline sequential::sequential_rules
