#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/anytime.hpp"
#include "variance/sequential_walks.hpp"
#include "variance/summary.hpp"

namespace retrial::variance::sequential_rules {

namespace {

/// Differences that spread by no more than a tie have no spread; all of them ties: no evidence.
double t_of(Differences so_far, double tie) {
  const auto [least, most] = std::ranges::minmax(so_far);
  const double center = *mean(so_far), deviation = *sd(so_far);
  if (most - least > tie && deviation > 0.0) return center * std::sqrt(static_cast<double>(so_far.size())) / deviation;
  return std::fabs(center) <= tie ? 0.0 : std::copysign(std::numeric_limits<double>::infinity(), center);
}

}  // namespace

Steps t_anytime(Differences differences, const SequentialSettings& s) {
  return walk_differences(differences, s, [&](SequentialStep& step, Differences so_far) {
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

}  // namespace retrial::variance::sequential_rules
