#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/anytime.hpp"
#include "variance/sequential_rules.hpp"
#include "variance/summary.hpp"

namespace retrial::variance::sequential_rules {
namespace {

/// `judge` fills a step from the differences so far; an undecided step at the horizon ends the run.
template <typename Judge>
Steps walk(Differences differences, const SequentialSettings& s, Judge&& judge) {
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

/// Differences that spread by no more than a tie have no spread; all of them ties: no evidence.
double t_of(Differences so_far, double tie) {
  const auto [least, most] = std::ranges::minmax(so_far);
  const double center = *mean(so_far), deviation = *sd(so_far);
  if (most - least > tie && deviation > 0.0) return center * std::sqrt(static_cast<double>(so_far.size())) / deviation;
  return std::fabs(center) <= tie ? 0.0 : std::copysign(std::numeric_limits<double>::infinity(), center);
}

struct Scale {
  double low, width;
  [[nodiscard]] double unit(double d) const { return std::clamp((d - low) / width, 0.0, 1.0); }
  [[nodiscard]] Estimate back(Estimate e) const {
    e.point = low + width * e.point;
    if (e.low) e.low = low + width * *e.low;
    if (e.high) e.high = low + width * *e.high;
    return e;
  }
};

Scale scale_of(const SequentialSettings& s) {
  return {*s.low, *s.high - *s.low};
}

}  // namespace

Steps t_anytime(Differences differences, const SequentialSettings& s) {
  return walk(differences, s, [&](SequentialStep& step, Differences so_far) {
    step.interval = t_sequence(so_far, s.alpha, s.g);
    if (step.pairs < 2) return;
    const double t = t_of(so_far, s.tie);
    if (std::isfinite(t))
      step.statistic = t;
    else
      step.note = "degenerate";
    step.boundary = t_boundary(step.pairs, s.alpha, s.g);
    if (step.boundary) step.boundary_against = -*step.boundary;
    step.log_e = log_t_e(t, step.pairs, s.g);
    if (*step.log_e < -std::log(s.alpha)) return;
    decide(step, t > 0.0 ? Status::better : Status::worse);
  });
}

Steps betting(Differences differences, const SequentialSettings& s) {
  const Scale scale = scale_of(s);
  BettingSequence sequence(s.alpha);
  BettingWealth bettor(scale.unit(0.0));
  return walk(differences, s, [&](SequentialStep& step, Differences so_far) {
    const double unit = scale.unit(so_far.back());
    if (s.intervals) {
      sequence.add(unit);
      step.interval = scale.back(sequence.interval());
      if (!step.interval.low) step.note = "drift";
    }
    const Wealth wealth = bettor.add(unit);
    step.log_e = wealth.log_up - std::log(2.0);
    step.log_e_against = wealth.log_down - std::log(2.0);
    if (*step.log_e >= -std::log(s.alpha)) decide(step, Status::better);
    if (*step.log_e_against >= -std::log(s.alpha)) decide(step, Status::worse);
  });
}

Steps bernstein(Differences differences, const SequentialSettings& s) {
  const Scale scale = scale_of(s);
  std::vector<double> units;
  return walk(differences, s, [&](SequentialStep& step, Differences so_far) {
    units.push_back(scale.unit(so_far.back()));
    step.interval = scale.back(bernstein_sequence(units, s.alpha));
    step.statistic = step.interval.point;
    step.boundary = step.interval.point - *step.interval.low;
    step.boundary_against = step.interval.point - *step.interval.high;
    if (*step.interval.low > 0.0) decide(step, Status::better);
    if (*step.interval.high < 0.0) decide(step, Status::worse);
  });
}

}  // namespace retrial::variance::sequential_rules
