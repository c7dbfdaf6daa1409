#pragma once

#include <span>
#include <vector>

#include "variance/sequential.hpp"

/// The functions of the table in variance/sequential.cpp; arguments are checked by `watch`.
namespace retrial::variance::sequential_rules {

using Steps = std::vector<SequentialStep>;
using Differences = std::span<const double>;

Steps curtailed(Differences, const SequentialSettings&);
Steps sprt(Differences, const SequentialSettings&);
Steps mixture_e(Differences, const SequentialSettings&);
Steps dual_e(Differences, const SequentialSettings&);
Steps t_anytime(Differences, const SequentialSettings&);
Steps betting(Differences, const SequentialSettings&);
Steps bernstein(Differences, const SequentialSettings&);
Steps obrien_fleming(Differences, const SequentialSettings&);
Steps pocock(Differences, const SequentialSettings&);
Steps group_permutation(Differences, const SequentialSettings&);

/// Pairs, wins and ties after one more difference.
inline SequentialStep counted(SequentialStep before, double difference, double tie) {
  SequentialStep step;
  step.pairs = before.pairs + 1;
  step.wins = before.wins + (difference > tie ? 1 : 0);
  step.ties = before.ties + (difference >= -tie && difference <= tie ? 1 : 0);
  return step;
}

inline void decide(SequentialStep& step, Status status) {
  step.status = status;
  step.state = status == Status::better         ? SequentialState::decided_for
               : status == Status::inconclusive ? SequentialState::ended
                                                : SequentialState::decided_against;
}

}  // namespace retrial::variance::sequential_rules
