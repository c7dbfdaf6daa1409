#pragma once

#include "harness/command_line/command.hpp"

namespace retrial::harness::inline gate::inline calibration {

[[nodiscard]] std::vector<Option> calibrate_options();

/// Runs the baseline of a suite against itself and says how often the gate calls that a regression. Exit codes: 0 the
/// upper bound of the rate is at most --limit, 1 the rate is above alpha, 3 too few suites to know.
int run_calibrate(const Arguments& arguments);

}  // namespace retrial::harness::inline gate::inline calibration
