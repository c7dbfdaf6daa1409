#include "variance/sequential_walks.hpp"

#include "variance/confidence_sequences.hpp"

namespace retrial::variance::sequential_rules {
namespace {

void fill(SequentialStep& step, const SignPlan& plan, std::int64_t n) {
  const auto row = static_cast<std::size_t>(n);
  step.statistic = static_cast<double>(step.wins);
  if (plan.high[row] <= n) step.boundary = static_cast<double>(plan.high[row]);
  if (plan.low[row] >= 0) step.boundary_against = static_cast<double>(plan.low[row]);
}

}  // namespace

Levels levels_of(const SequentialSettings& s) {
  return {.alpha = s.alpha, .beta = s.beta, .gamma = s.gamma};
}

Steps walk_signs(const SignPlan& plan, Differences differences, const SequentialSettings& s,
                 const SignEvidence& evidence) {
  Steps steps;
  SequentialStep step;
  for (const double d : differences) {
    step = counted(step, d, s.tie);
    const std::int64_t n = step.pairs - step.ties;
    fill(step, plan, n);
    evidence(step, step.wins, n);
    if (s.intervals) step.interval = bernoulli_sequence(step.wins, n, s.alpha, s.t_opt);
    if (const auto status = plan.verdict(step.wins, n)) decide(step, *status);
    steps.push_back(step);
    if (step.state != SequentialState::go_on) break;
  }
  return steps;
}

Steps walk_open(SignFamily family, Differences differences, const SequentialSettings& s, const SignEvidence& evidence) {
  if (s.horizon) return walk_signs(bounded_plan(family, *s.horizon, levels_of(s)), differences, s, evidence);
  const auto most = static_cast<std::int64_t>(differences.size()) + 1;
  return walk_signs(open_plan(family, most, levels_of(s)), differences, s, evidence);
}

Estimate UnitScale::back(Estimate e) const {
  e.point = low + width * e.point;
  if (e.low) e.low = low + width * *e.low;
  if (e.high) e.high = low + width * *e.high;
  return e;
}

UnitScale unit_scale_of(const SequentialSettings& s) {
  return {*s.low, *s.high - *s.low};
}

}  // namespace retrial::variance::sequential_rules
