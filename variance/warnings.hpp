#pragma once

#include <string>
#include <vector>

#include "variance/verdict.hpp"

namespace retrial::variance {

/// Warnings that belong to a verdict, one sentence each, in a fixed order.
[[nodiscard]] std::vector<std::string> warnings_of(const Verdict& verdict);

}  // namespace retrial::variance
