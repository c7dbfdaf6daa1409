#pragma once

#include <string>

#include "results/json/json_fwd.hpp"

namespace retrial::harness::inline text {

/// "retrial 0.1.0".
[[nodiscard]] std::string version_line();
/// The same with compiler and libraries (schema retrial.version/1).
[[nodiscard]] Json version_document();

}  // namespace retrial::harness::inline text
