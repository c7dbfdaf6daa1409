#pragma once

#include <string>
#include <vector>

#include "variance/verdict.hpp"

namespace retrial::variance {

/// What a reader of the verdict must know beside it, a sentence each, in a fixed order.
[[nodiscard]] std::vector<std::string> warnings_of(const Verdict& verdict);

}  // namespace retrial::variance
