#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "variance/random/rng.hpp"

/// Permutation test at a few declared looks (AdaStop: Mathieu et al. 2024), its null law corrected: labels change
/// places only within the block of runs between two looks, and the statistic is absolute under the null as it is for
/// the data. The public implementation keeps the signs there: it rejects identical variants in 11 % of the cases at a
/// nominal 5 %.
namespace retrial::variance::inline sequential {

enum class Exchange {
  runs,  ///< labels of all runs of a block: both variants' runs are independent
  pairs  ///< within each pair: seeds are shared
};

struct GroupPermutation {
  std::vector<std::int64_t> looks;  ///< runs of each variant at each look, ascending
  Exchange exchange = Exchange::runs;
  /// Over both directions and all looks; k / looks of it may be spent by look k. Of m comparisons, give each alpha / m.
  double alpha = 0.05;
  std::int64_t draws = 10'000;  ///< of a law with more permutations than this
  std::uint64_t key = 0;        ///< of the draws: draw r uses Stream(derive(key, "permutation"), r), block after block
};

struct PermutationLook {
  double statistic = 0.0;          ///< sum over blocks of the mean difference, candidate - baseline
  std::optional<double> boundary;  ///< crossed by a larger absolute value; absent: nothing can cross here
  bool crossed = false;            ///< by the data
  bool exact = true;               ///< all permutations, none drawn
  std::int64_t permutations = 0;
};

/// One block of runs after another, in memory of `draws` numbers.
class GroupPermutationTest {
 public:
  /// InvalidInput{alpha}, {looks[k]}, {draws} (1,000 and more).
  explicit GroupPermutationTest(GroupPermutation design);
  /// The runs since the last look, as many of each as the design says; both sides together are permuted. Each look's
  /// boundary is the least b with P(spent before) + P(|T| > b, not crossed before) <= k alpha / looks; the data count
  /// as one of the drawn permutations, so that the level holds whatever their number.
  PermutationLook add(std::span<const double> candidate, std::span<const double> baseline);

 private:
  struct Path {
    double sum = 0.0;
    bool crossed = false;
  };
  using Block = std::vector<double>;  ///< of runs: both variants, candidate first; of pairs: differences
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
  std::vector<Stream> streams_;  ///< of the draws; empty while all permutations are counted out
  std::vector<std::uint32_t> order_;
  double spent_ = 0.0, scale_ = 0.0;
};

/// The looks that the scores reach. InvalidInput{baseline} for unequal lengths.
[[nodiscard]] std::vector<PermutationLook> group_permutation(std::span<const double> candidate,
                                                             std::span<const double> baseline,
                                                             const GroupPermutation& design);

}  // namespace retrial::variance::inline sequential
