#pragma once

namespace retrial::variance::inline two_variants {

enum class Direction { lower, higher, none };  ///< which scores are better

enum class Sides {
  one,  ///< alpha per directional claim: "better" and "worse" are two claims
  two   ///< alpha for both claims together: half for each
};

}  // namespace retrial::variance::inline two_variants
