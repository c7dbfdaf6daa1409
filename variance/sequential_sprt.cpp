#include "variance/sequential_walks.hpp"

namespace retrial::variance::sequential_rules {

Steps sprt(Differences differences, const SequentialSettings& s) {
  return walk_open(SignFamily::sprt, differences, s, [&](SequentialStep& step, std::int64_t wins, std::int64_t n) {
    step.log_e = log_likelihood_ratio(wins, n, s.gamma);
    step.log_e_against = -*step.log_e;
  });
}

}  // namespace retrial::variance::sequential_rules
