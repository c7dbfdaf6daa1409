#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "variance/sequential/sequential.hpp"

/// The functions of the table in sequential.cpp, whose arguments `watch` checks, and what they share. For .cpp files
/// of this folder.
namespace retrial::variance::inline sequential::sequential_rules {

using Steps = std::vector<SequentialStep>;
using Differences = std::span<const double>;

using RunRule = Steps(Differences, const SequentialSettings&);
RunRule curtailed, sprt, mixture_e, dual_e, t_anytime, betting, bernstein, obrien_fleming, pocock, group_permutation;

/// Pairs, wins and ties after one more difference.
inline SequentialStep counted(SequentialStep before, double difference, double tie) {
  SequentialStep step;
  step.pairs = before.pairs + 1;
  step.wins = before.wins + (difference > tie ? 1 : 0);
  step.ties = before.ties + (difference >= -tie && difference <= tie ? 1 : 0);
  return step;
}

inline void decide(SequentialStep& step, Status status) {
  step.status = status;
  step.state = status == Status::better         ? SequentialState::decided_for
               : status == Status::inconclusive ? SequentialState::ended
                                                : SequentialState::decided_against;
}

/// The loop of the rules on differences that decide after every pair: `judge` fills a step from the differences so far;
/// an undecided step at the horizon ends the run.
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

/// The declared looks of rules that test at a few numbers of pairs.
using Looks = std::vector<std::int64_t>;

/// As declared, or five at equal distances up to the horizon. InvalidInput{looks[k]} if they do not ascend from 2 to
/// the horizon.
[[nodiscard]] Looks looks_of(const SequentialSettings& settings);

}  // namespace retrial::variance::inline sequential::sequential_rules
