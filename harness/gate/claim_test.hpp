#pragma once

#include "harness/gate/gate.hpp"

namespace retrial::harness::inline gate {

/// Everything about one claim that no other claim changes.
struct ClaimTest {
  GateVerdict verdict;                  ///< with the word where the claim cannot be tested, else without one
  std::optional<double> worse;          ///< effect on the scale of the test, positive where the candidate is worse
  std::optional<double> low, high;      ///< its interval at 1 - 2 equiv_alpha; absent: unbounded
  double sigma = 0.0, runs_term = 0.0;  ///< spread of one side (of the differences), and sqrt(1/n + 1/m) (1/sqrt(k))
  bool all_equal = false;
  std::int64_t won = 0, lost = 0;  ///< pairs that are not tied, seen from the candidate; of the test `win`
  bool not_meaningful = false;     ///< so few pairs are lost that a meaningful share of losses is ruled out
};
[[nodiscard]] ClaimTest test_claim(const GateClaim& claim, const GateSettings& settings);

/// The same of cycles, time by the clock of the GPU, where the claim is a time and every process has its clock: a card
/// that ran more slowly is no slower program.
[[nodiscard]] std::optional<ClaimTest> test_cycles(const GateClaim& claim, const GateSettings& settings);

}  // namespace retrial::harness::inline gate
