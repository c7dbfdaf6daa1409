#include <algorithm>

#include "variance/group_permutation.hpp"
#include "variance/sequential_looks.hpp"
#include "variance/summary.hpp"

namespace retrial::variance::sequential_rules {

Steps group_permutation(Differences differences, const SequentialSettings& s) {
  const Looks looks = looks_of(s);
  GroupPermutationTest test(
      {.looks = looks, .exchange = Exchange::pairs, .alpha = s.alpha, .draws = s.draws, .key = s.key});
  Steps steps;
  SequentialStep step;
  std::size_t seen = 0;  // pairs at the last look
  for (std::size_t i = 0; i < differences.size() && step.state == SequentialState::go_on; ++i) {
    step = counted(step, differences[i], s.tie);
    step.interval = {.point = *mean(differences.first(i + 1)), .level = 1.0 - s.alpha, .method = ""};
    if (std::ranges::find(looks, step.pairs) != looks.end()) {
      const auto block = differences.subspan(seen, i + 1 - seen);
      seen = i + 1;
      const PermutationLook at = test.add(block, std::vector<double>(block.size(), 0.0));
      step.statistic = at.statistic;
      step.boundary = at.boundary;
      if (at.boundary) step.boundary_against = -*at.boundary;
      if (at.crossed) decide(step, at.statistic > 0.0 ? Status::better : Status::worse);
      if (step.state == SequentialState::go_on && step.pairs == looks.back()) decide(step, Status::inconclusive);
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace retrial::variance::sequential_rules
