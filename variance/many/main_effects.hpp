#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "variance/many/joint_differences.hpp"

/// Main effects of a full grid whose cells share the seeds of each pair (Yates 1937). The effect of level l of a
/// factor, against its first level, is the mean over the pairs i of
///     d_i = mean over o of y_i(l, o) - y_i(first, o),
/// where o are the combinations of all other factors. Each effect has the spread of its own d_i as its error (Boik
/// 1981), so that unequal variances of the cells do no harm, and all effects of all factors are one family. An effect
/// is an average: where the factors depend on each other, it holds for none of the combinations.
namespace retrial::variance::inline many {

struct MainEffect {
  std::size_t factor = 0, level = 0;  ///< level > 0
  std::optional<JointDifference> difference;
  double least = 0.0, largest = 0.0;  ///< mean differences at single combinations of the other factors
};

/// `levels`: of each factor, two or more. `cells`: the scores by pair of each combination, the last factor changing
/// fastest, all of one length and finite. InvalidInput otherwise.
[[nodiscard]] std::vector<MainEffect> main_effects(std::span<const std::size_t> levels,
                                                   std::span<const std::vector<double>> cells, double alpha);

}  // namespace retrial::variance::inline many
