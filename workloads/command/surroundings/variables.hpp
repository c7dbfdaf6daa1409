#pragma once

#include <string>
#include <vector>

#include "results/json/json.hpp"

namespace retrial::workloads::command::inline surroundings {

/// Variables that change what a program of the user computes, except those of numeric libraries (which the kernel mode
/// sets and the manifest lists under `numeric`). Values of all others stay unrecorded: they may be secrets.
[[nodiscard]] const std::vector<std::string>& named_variables();

/// Their values; "unset" for one that is not set.
[[nodiscard]] Json variables_in_force();

}  // namespace retrial::workloads::command::inline surroundings
