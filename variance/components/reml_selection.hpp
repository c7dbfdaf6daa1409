#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "variance/components/reml_contrasts.hpp"

/// Selection of the factors in a likelihood, where the noise is so small that this matters. For .cpp files of
/// `reml`.
namespace retrial::variance::inline components::reml_parts {

/// Some factors, the contrasts that they span, and one set of scores in them.
struct Selection {
  std::vector<std::size_t> factors;  ///< places among all factors
  bool exact = false;                ///< the factors reproduce the scores: there is no noise
  Contrasts contrasts;
  Contrasted scores;
};

/// All factors in their order, unless the noise is very small. Then the fewest factors that reproduce the scores, or,
/// if noise is left, all of them, and the one that the scores would miss most comes first: so the large entries of
/// their covariance precede the small ones, and its Cholesky factor keeps the digits of both. `all`: contrasts of all
/// factors; y: scores with mean 0 and variance 1; `rounding`: what is left of a score that the effects reproduce.
[[nodiscard]] Selection selection_for(std::span<const double> y, const Contrasts& all, double rounding);

}  // namespace retrial::variance::inline components::reml_parts
