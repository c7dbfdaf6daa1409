#pragma once

#include "harness/command_line/command.hpp"
#include "harness/gate/measured/planned_suite.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline gate::inline measured {

[[nodiscard]] std::vector<Option> calibrate_options();

/// Runs the baseline of a suite against itself and says how often the gate calls that a regression. Exit codes: 0 the
/// upper bound of the rate is at most --limit, 1 the rate is above alpha, 3 too few suites to know.
int run_calibrate(const Arguments& arguments);

/// The rate that was measured for these benchmarks, settings and kind of machine; nothing: uncalibrated.
[[nodiscard]] std::optional<GateCalibration> calibration_for(const Arguments& arguments, const PlannedSuite& suite,
                                                             const results::Store& store);

}  // namespace retrial::harness::inline gate::inline measured
