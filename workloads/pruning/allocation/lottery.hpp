#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workloads/data/files/rational.hpp"
#include "workloads/pruning/allocation/allocation.hpp"

namespace retrial::pruning::inline allocation {

/// The number of weights that one level of a lottery ticket removes: ceil(fraction * remaining), with the fraction as
/// the decimal that was typed (.2 * 35 is 7, not 7.000000000000001).
[[nodiscard]] std::int64_t level_count(const data::Rational& fraction, std::int64_t remaining);

/// One level (Frankle and Carbin, ICLR 2019) over all live weights. exact: removes the n lowest scores. openlth:
/// removes all scores up to the n-th lowest (0-based), which is one more if scores are distinct.
enum class LotteryRule { exact, openlth };
[[nodiscard]] Allocation lottery_level(const WeightScores& scores, const MaskSet& current,
                                       const data::Rational& fraction, LotteryRule rule,
                                       const std::vector<bool>& may_prune);

/// The fraction f of a grid "levels(f, L)"; nothing for any other grid.
[[nodiscard]] std::optional<data::Rational> level_fraction(const std::string& grid);

}  // namespace retrial::pruning::inline allocation
