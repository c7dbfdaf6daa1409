#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "variance/random/rng.hpp"

namespace retrial::pruning::inline methods {

/// What a layer draws from at one step: Stream(derive(derive(derive(P, layer), step), "draws")), P the source seed of
/// `prune`; draw i takes `uniform` of word i.
[[nodiscard]] variance::Stream draws_of(std::uint64_t prune, const std::string& layer, std::uint64_t step);

/// Sampling with replacement, weights at least 0 and not all 0: a draw picks the smallest j with p_0 + ... + p_j > u,
/// sums in double in index order; the last j with p_j > 0 where rounding leaves none.
class Sampler {
 public:
  explicit Sampler(std::span<const double> weights);
  [[nodiscard]] std::size_t pick(double u) const;
  [[nodiscard]] double share(std::size_t j) const { return shares_[j]; }  ///< p_j
  /// How often each was picked in n draws.
  [[nodiscard]] std::vector<std::int64_t> counts(std::int64_t n, variance::Stream& draws) const;
  /// Picked at least once in draws until there are `distinct` of them. What is so rare that it has not come after 100
  /// draws for every weight is taken by its share, greatest first.
  [[nodiscard]] std::vector<std::uint8_t> distinct(std::int64_t distinct, variance::Stream& draws) const;

 private:
  std::vector<double> shares_, sums_;
};

}  // namespace retrial::pruning::inline methods
