#pragma once

namespace retrial::variance {

enum class Direction { lower, higher, none };  ///< which scores are better

}  // namespace retrial::variance
