#include "variance/sequential_walks.hpp"

namespace retrial::variance::sequential_rules {

Steps mixture_e(Differences differences, const SequentialSettings& s) {
  return walk_open(SignFamily::mixture_e, differences, s, [](SequentialStep& step, std::int64_t wins, std::int64_t n) {
    step.log_e = log_win_e(wins, n);
    step.log_e_against = log_win_e(n - wins, n);
  });
}

}  // namespace retrial::variance::sequential_rules
