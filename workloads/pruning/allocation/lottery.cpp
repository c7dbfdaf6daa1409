#include "workloads/pruning/allocation/lottery.hpp"

#include <re2/re2.h>

#include <algorithm>

namespace retrial::pruning::inline allocation {

std::int64_t level_count(const data::Rational& fraction, std::int64_t remaining) {
  const std::int64_t floor = fraction.floor_of(remaining);
  // The remainder is below the denominator, hence below 2^64: unsigned arithmetic modulo 2^64 finds it exactly.
  const auto rest = static_cast<std::uint64_t>(fraction.numerator) * static_cast<std::uint64_t>(remaining) -
                    static_cast<std::uint64_t>(floor) * static_cast<std::uint64_t>(fraction.denominator);
  return rest == 0 ? floor : floor + 1;
}

Allocation lottery_level(const WeightScores& scores, const MaskSet& current, const data::Rational& fraction,
                         LotteryRule rule, const std::vector<bool>& may_prune) {
  const std::int64_t gone = level_count(fraction, current.live());
  if (rule == LotteryRule::exact) return keep_best(scores, current, current.live() - gone, 0, may_prune);
  require_numbers(scores, current);
  std::vector<double> live;
  for (std::size_t l = 0; l < scores.size(); ++l)
    for (std::size_t e = 0; e < scores[l].size(); ++e)
      if (current.layers[l].bits[e] != 0 && may_prune[l]) live.push_back(scores[l][e]);
  Allocation made{.masks = current, .moved = 0, .warnings = {}};
  if (live.empty()) return made;
  const auto nth = live.begin() + std::min(gone, static_cast<std::int64_t>(live.size()) - 1);
  std::nth_element(live.begin(), nth, live.end());
  for (std::size_t l = 0; l < scores.size(); ++l)
    for (std::size_t e = 0; may_prune[l] && e < scores[l].size(); ++e)
      if (!(scores[l][e] > *nth)) made.masks.layers[l].bits[e] = 0;
  return made;
}

std::optional<data::Rational> level_fraction(const std::string& grid) {
  static const re2::RE2 form(R"(\s*levels\(\s*([^,\s]+)\s*,\s*[0-9]+\s*\)\s*)");
  std::string fraction;
  if (!re2::RE2::FullMatch(grid, form, &fraction)) return std::nullopt;
  return data::parse_rational(fraction);
}

}  // namespace retrial::pruning::inline allocation
