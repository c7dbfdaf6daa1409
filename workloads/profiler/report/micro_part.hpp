#pragma once

#include "results/report/report.hpp"

namespace retrial::profiler {

/// What the bookkeeping itself costs on this machine, in loops that do nothing else: reading the clock, an operation
/// while it is recorded and while nothing is, and the sweep. A training pays more for each event, because its data
/// leave the caches; the calibration of a profile measures that.
[[nodiscard]] report::Part micro_part();

}  // namespace retrial::profiler
