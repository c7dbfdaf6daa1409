#pragma once

#include <string>

#include "harness/plan/plan.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline show {

/// A study before anything runs, as `plan` and `run` print it: names, sources, kernel mode, and the declared design
/// with its false-positive rate and power, or with the number of pairs that would give it power.
[[nodiscard]] report::Facts study_facts(const Study& study);

/// Variables that the mode sets, one "NAME=value" per line; empty under inherit.
[[nodiscard]] std::string mode_page(const determinism::KernelMode& mode);

}  // namespace retrial::harness::inline show
