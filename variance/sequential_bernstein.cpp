#include "variance/anytime.hpp"
#include "variance/sequential_walks.hpp"

namespace retrial::variance::sequential_rules {

Steps bernstein(Differences differences, const SequentialSettings& s) {
  const UnitScale scale = unit_scale_of(s);
  std::vector<double> units;
  return walk_differences(differences, s, [&](SequentialStep& step, Differences so_far) {
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
