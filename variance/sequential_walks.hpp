#pragma once

#include <algorithm>
#include <functional>

#include "variance/sequential_rules.hpp"
#include "variance/sequential_sign.hpp"

/// What rules have in common that are asked after every pair. Internal to this folder.
namespace retrial::variance::sequential_rules {

/// Fills in the evidence after `n` untied pairs.
using SignEvidence = std::function<void(SequentialStep&, std::int64_t wins, std::int64_t n)>;

[[nodiscard]] Levels levels_of(const SequentialSettings& settings);
/// Rules on wins: the verdicts are the boundaries of the plan.
[[nodiscard]] Steps walk_signs(const SignPlan& plan, Differences, const SequentialSettings&, const SignEvidence&);
/// With the plan of the family, up to the horizon if there is one.
[[nodiscard]] Steps walk_open(SignFamily family, Differences, const SequentialSettings&, const SignEvidence&);

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

/// The declared range of the differences on [0, 1].
struct UnitScale {
  double low, width;
  [[nodiscard]] double unit(double d) const { return std::clamp((d - low) / width, 0.0, 1.0); }
  [[nodiscard]] Estimate back(Estimate e) const;
};
[[nodiscard]] UnitScale unit_scale_of(const SequentialSettings& settings);

}  // namespace retrial::variance::sequential_rules
