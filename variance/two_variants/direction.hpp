#pragma once

namespace retrial::variance::inline two_variants {

enum class Direction { lower, higher, none };  ///< which scores are better

enum class Sides {
  one,  ///< alpha for each directional claim: "better" and "worse" are two claims
  two   ///< alpha for both together: half of it each
};

}  // namespace retrial::variance::inline two_variants
