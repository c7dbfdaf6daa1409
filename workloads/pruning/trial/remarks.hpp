#pragma once

#include <string>
#include <vector>

#include "results/text/value.hpp"

namespace retrial::pruning::inline trial {

/// Notes on valid keys for people who read the results, a sentence each.
[[nodiscard]] std::vector<std::string> remarks(const Values& values);

}  // namespace retrial::pruning::inline trial
