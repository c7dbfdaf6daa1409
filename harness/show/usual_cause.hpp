#pragma once

#include <string>

#include "results/json/json_fwd.hpp"

namespace retrial::harness::inline show {

/// A sentence about what makes two runs of such a program differ although every recorded field is equal: Python without
/// PYTHONHASHSEED. Empty: nothing of the kind.
[[nodiscard]] std::string usual_cause(const Json& a, const Json& b);

}  // namespace retrial::harness::inline show
