#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "variance/random/rng.hpp"

/// Permutation test at a few declared looks (AdaStop: Mathieu et al. 2024), its null law corrected: labels are
/// exchanged only within the block of runs between two looks, and the statistic is absolute under the null, as for the
/// data. The public implementation keeps the signs under the null: it rejects identical variants in 11 % of the cases
/// at a nominal 5 %.
namespace retrial::variance::inline looks {

enum class Exchange {
  runs,  ///< exchange labels of all runs of a block: the runs of both variants are independent
  pairs  ///< exchange labels within each pair: seeds are shared
};

struct GroupPermutation {
  std::vector<std::int64_t> looks = {};  ///< runs of each variant at each look, ascending
  Exchange exchange = Exchange::runs;
  /// Over both directions and all looks; look k may have spent k / looks of it. For m comparisons, use alpha / m each.
  double alpha = 0.05;
  std::int64_t draws = 10'000;  ///< draws from a law with more permutations than this
  std::uint64_t key = 0;  ///< key of the draws: draw r uses Stream(derive(key, "permutation"), r), block after block
};

struct PermutationLook {
  double statistic = 0.0;          ///< sum over blocks of the mean difference, candidate - baseline
  std::optional<double> boundary;  ///< crossed by a larger absolute value; absent if nothing can cross here
  bool crossed = false;            ///< the data crossed
  bool exact = true;               ///< all permutations enumerated, none drawn
  std::int64_t permutations = 0;
};

/// Takes one block of runs after another, in memory for `draws` numbers.
class GroupPermutationTest {
 public:
  /// InvalidInput{alpha}, {looks[k]}, {draws} (at least 1,000).
  explicit GroupPermutationTest(GroupPermutation design);
  /// Adds the runs since the last look, as many per variant as the design declares; both sides are permuted together.
  /// The boundary of look k is the smallest b with P(spent before) + P(|T| > b, not crossed before) <= k alpha / looks.
  /// The data count as one of the drawn permutations, so the level holds for any number of them.
  PermutationLook add(std::span<const double> candidate, std::span<const double> baseline);

 private:
  struct Path {
    double sum = 0.0;
    bool crossed = false;
  };
  using Block = std::vector<double>;  ///< runs: both variants, candidate first; pairs: differences
  [[nodiscard]] double ways(std::size_t pairs) const;
  void enumerate(const Block& block);
  void start_drawing();
  void draw(const Block& block);
  [[nodiscard]] double drawn_value(const Block& block, Stream& stream);
  void cross(PermutationLook& look);

  GroupPermutation design_;
  std::vector<Block> blocks_;
  std::vector<std::optional<double>> boundaries_;
  std::vector<Path> paths_{Path{}};
  std::vector<Stream> streams_;  ///< streams of the draws; empty while all permutations are enumerated
  std::vector<std::uint32_t> order_;
  double spent_ = 0.0, scale_ = 0.0;
};

/// Results of the looks that the scores reach. InvalidInput{baseline} for unequal lengths.
[[nodiscard]] std::vector<PermutationLook> group_permutation(std::span<const double> candidate,
                                                             std::span<const double> baseline,
                                                             const GroupPermutation& design);

}  // namespace retrial::variance::inline looks
