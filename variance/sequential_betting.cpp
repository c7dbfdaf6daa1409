#include <cmath>

#include "variance/anytime.hpp"
#include "variance/sequential_walks.hpp"

namespace retrial::variance::sequential_rules {

Steps betting(Differences differences, const SequentialSettings& s) {
  const UnitScale scale = unit_scale_of(s);
  BettingSequence sequence(s.alpha);
  BettingWealth bettor(scale.unit(0.0));
  return walk_differences(differences, s, [&](SequentialStep& step, Differences so_far) {
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

}  // namespace retrial::variance::sequential_rules
