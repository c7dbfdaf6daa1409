#pragma once

#include <optional>

#include "harness/gate/measured/planned_suite.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline gate::inline measured {

/// The store with the records of a calibration, in its folder.
inline constexpr const char* calibration_file = "calibration.db";

/// What a calibration is about: the benchmarks and the settings of the gate.
[[nodiscard]] Json subject_of_calibration(const PlannedSuite& suite, std::int64_t pairs);

/// The rate that was measured for these benchmarks, settings and kind of machine; nothing: uncalibrated.
[[nodiscard]] std::optional<GateCalibration> calibration_for(const Arguments& arguments, const PlannedSuite& suite,
                                                             const results::Store& store);

}  // namespace retrial::harness::inline gate::inline measured
