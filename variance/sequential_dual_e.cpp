#include "variance/sequential_walks.hpp"

namespace retrial::variance::sequential_rules {

Steps dual_e(Differences differences, const SequentialSettings& s) {
  const SignEvidence evidence = [&](SequentialStep& step, std::int64_t wins, std::int64_t n) {
    step.log_e = log_win_e(wins, n);
    step.log_e_against = log_below_gamma_e(wins, n, s.gamma);
  };
  if (s.band) return walk_signs(dual_plan_with_band(*s.horizon, *s.band, levels_of(s)), differences, s, evidence);
  return walk_open(SignFamily::dual_e, differences, s, evidence);
}

}  // namespace retrial::variance::sequential_rules
