#pragma once

#include <string>

#include "harness/plan/plan.hpp"

namespace retrial::harness::inline show {

/// What `plan`, `run` and `check` print of a study before anything runs: names, sources, kernel mode, and the declared
/// design with its size and power, or with the number of pairs that would give it power.
[[nodiscard]] std::string design_page(const Study& study);

/// Variables that the mode sets, one "NAME=value" a line; empty under inherit.
[[nodiscard]] std::string mode_page(const determinism::KernelMode& mode);

}  // namespace retrial::harness::inline show
