#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "variance/sequential/sequential.hpp"
#include "variance/sequential/sequential_sign.hpp"

namespace retrial::variance::inline verdict {

/// The state of a sequential design after the complete pairs of a plan, from its first pair on.
struct SequentialPart {
  SequentialState state = SequentialState::go_on;  ///< anything else: no further pair changes the verdict
  std::int64_t at_n = 0;                           ///< judged pairs of the plan, including tied and left-out ones
  std::int64_t given = 0;                          ///< complete pairs; pairs after at_n are kept but not judged
  std::int64_t left_out = 0;                       ///< judged pairs left out by the failure policy
  std::vector<SequentialStep> looks;     ///< one for each pair that was not left out, up to the last judged pair
  std::vector<std::int64_t> pair_of;     ///< pairs of the plan that each look used
  std::optional<double> always_valid_p;  ///< for BETTER: 1 / the largest e-value so far, at most 1
  std::optional<std::int64_t> wins_to_better, losses_to_against;  ///< in a row, while undecided; rules on wins only
  std::optional<Operating> at_half, at_gamma;                     ///< rules on wins only: at win rates 1/2 and gamma
  Status low_means = Status::not_meaningful;                      ///< verdict of a rule on wins after too few wins
};

}  // namespace retrial::variance::inline verdict
