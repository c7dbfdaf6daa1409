#pragma once

#include <span>
#include <vector>

#include "variance/sequential/sequential.hpp"

/// The functions of the table in sequential.cpp; `watch` checks their arguments.
namespace retrial::variance::inline sequential::sequential_rules {

using Steps = std::vector<SequentialStep>;
using Differences = std::span<const double>;

using RunRule = Steps(Differences, const SequentialSettings&);
RunRule curtailed, sprt, mixture_e, dual_e, t_anytime, betting, bernstein, obrien_fleming, pocock, group_permutation;

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

}  // namespace retrial::variance::inline sequential::sequential_rules
