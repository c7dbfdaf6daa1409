#include "workloads/pruning/allocation/threshold.hpp"

#include <algorithm>
#include <bit>

namespace retrial::pruning::inline allocation {
namespace {

constexpr int leading_bits = 16;

/// Larger numbers have larger leading bits; the two zeros have the same.
std::uint32_t leading(double score) {
  const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);
  const std::uint64_t ordered = (bits >> 63) != 0 ? ~bits : bits | std::uint64_t{1} << 63;
  return static_cast<std::uint32_t>(ordered >> (64 - leading_bits));
}

template <typename Visit>
void each(std::span<const Scored> layers, Visit&& visit) {
  for (const Scored& layer : layers)
    for (std::size_t e = 0; e < layer.scores.size(); ++e)
      if (layer.live[e] != 0) visit(layer.scores[e]);
}

}  // namespace

Threshold threshold_of(std::span<const Scored> layers, std::int64_t kept) {
  std::vector<std::int64_t> counts(std::size_t{1} << leading_bits);
  each(layers, [&](double score) { ++counts[leading(score)]; });
  std::int64_t left = kept;
  std::size_t bin = counts.size() - 1;
  for (; left > counts[bin]; --bin) left -= counts[bin];
  std::vector<double> same;
  same.reserve(static_cast<std::size_t>(counts[bin]));
  each(layers, [&](double score) {
    if (leading(score) == bin) same.push_back(score);
  });
  std::nth_element(same.begin(), same.begin() + left - 1, same.end(), std::greater<>());
  const double score = same[static_cast<std::size_t>(left - 1)];
  const auto above = std::count_if(same.begin(), same.end(), [&](double other) { return other > score; });
  return {.score = score, .ties = left - above};
}

}  // namespace retrial::pruning::inline allocation
