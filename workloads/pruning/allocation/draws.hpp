#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "variance/random/rng.hpp"

namespace retrial::pruning::inline allocation {

/// The draws of a layer at one step: Stream(derive(derive(derive(P, layer), step), "draws")), with P the source seed of
/// `prune`; draw i takes `uniform` of word i.
[[nodiscard]] variance::Stream draws_of(std::uint64_t prune, const std::string& layer, std::uint64_t step);

/// Sampling with replacement, weights at least 0 and not all 0: a draw picks the smallest j with p_0 + ... + p_j > u,
/// sums in double in index order; the last j with p_j > 0 if rounding leaves none.
class Sampler {
 public:
  explicit Sampler(std::span<const double> weights);
  [[nodiscard]] std::size_t pick(double u) const;
  [[nodiscard]] double share(std::size_t j) const { return shares_[j]; }  ///< p_j
  /// The count of each item in n draws.
  [[nodiscard]] std::vector<std::int64_t> counts(std::int64_t n, variance::Stream& draws) const;
  /// The items of draws that continue until `distinct` different ones have been picked. Items that are missing after
  /// 100 draws per weight are added by their share, largest first.
  [[nodiscard]] std::vector<std::uint8_t> distinct(std::int64_t distinct, variance::Stream& draws) const;

 private:
  std::vector<double> shares_, sums_;
};

}  // namespace retrial::pruning::inline allocation
