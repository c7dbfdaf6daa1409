#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "variance/sequential/sequential.hpp"
#include "variance/sequential/sequential_sign.hpp"

namespace retrial::variance::inline verdict {

/// How far a sequential design has come on the complete pairs of a plan, from its first pair on.
struct SequentialPart {
  SequentialState state = SequentialState::go_on;  ///< anything else: no further pair changes the verdict
  std::int64_t at_n = 0;                 ///< pairs of the plan that are judged, tied and left-out ones included
  std::int64_t given = 0;                ///< complete pairs; those after at_n are kept and not judged
  std::int64_t left_out = 0;             ///< of those judged, by the failure policy
  std::vector<SequentialStep> looks;     ///< one for each pair that was not left out, up to the last one judged
  std::vector<std::int64_t> pair_of;     ///< pairs of the plan that each look had used
  std::optional<double> always_valid_p;  ///< of BETTER: 1 / the largest e-value so far, at most 1
  std::optional<std::int64_t> wins_to_better, losses_to_against;  ///< in a row, while undecided; of rules on wins
  std::optional<Operating> at_half, at_gamma;                     ///< of rules on wins: at shares 1/2 and gamma
  Status low_means = Status::not_meaningful;                      ///< what a rule on wins says of too few of them
};

}  // namespace retrial::variance::inline verdict
