#include <cmath>

#include "variance/decide.hpp"
#include "variance/sequential_walks.hpp"

namespace retrial::variance::sequential_rules {

Steps curtailed(Differences differences, const SequentialSettings& s) {
  const std::int64_t pairs = s.horizon ? *s.horizon : exact_sign_design(levels_of(s)).pairs;
  const SignPlan plan = bounded_plan(SignFamily::curtailed, pairs, levels_of(s));
  return walk_signs(plan, differences, s, [&](SequentialStep& step, std::int64_t wins, std::int64_t n) {
    step.log_e = std::log(conditional_rejection(wins, n, plan.high.back(), pairs) / s.alpha);
  });
}

}  // namespace retrial::variance::sequential_rules
