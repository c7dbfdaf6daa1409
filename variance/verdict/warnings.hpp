#pragma once

#include <string>
#include <vector>

#include "variance/verdict/verdict.hpp"

namespace retrial::variance::inline verdict {

/// The warnings of a verdict, one sentence each, in a fixed order.
[[nodiscard]] std::vector<std::string> warnings_of(const Verdict& verdict);

}  // namespace retrial::variance::inline verdict
