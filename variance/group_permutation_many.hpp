#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "variance/group_permutation.hpp"

/// The group permutation test of several variants: every comparison still open is watched together, by the largest of
/// their statistics, and what is decided leaves (step-down, as in AdaStop).
namespace retrial::variance {

struct ArmPair {
  std::size_t first = 0, second = 0;
  bool operator==(const ArmPair&) const = default;
};
struct ArmDecision {
  ArmPair arms;
  std::int64_t runs = 0;   ///< of each, when it was decided
  double statistic = 0.0;  ///< sum over blocks of mean(first) - mean(second)
};
struct ManyArms {
  std::vector<ArmDecision> decided;  ///< in the order of the decisions
  std::vector<ArmPair> open;
  std::vector<std::int64_t> runs;  ///< that each variant was needed for: it rests once none of its comparisons is open
};

/// arms[v] holds the runs of variant v in the order of the plan; looks that some variant still needed does not reach
/// end the test. Labels of all variants still needed change places within a block (`exchange` must be `runs`), always
/// drawn, the data as the first draw. Chance of any wrong decision at most alpha when all variants are alike; where
/// some differ, their spread makes the rest cautious. O(draws (runs + comparisons)) a look. InvalidInput{arms} below
/// two, {comparisons[i]} of no such variants, of one with itself or given twice, as GroupPermutationTest otherwise.
[[nodiscard]] ManyArms group_permutation_many(std::span<const std::vector<double>> arms,
                                              std::span<const ArmPair> comparisons, const GroupPermutation& design);
/// Every pair of `arms` variants, first < second.
[[nodiscard]] std::vector<ArmPair> all_arm_pairs(std::size_t arms);

}  // namespace retrial::variance
