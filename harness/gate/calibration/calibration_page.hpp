#pragma once

#include <optional>
#include <string>

#include "harness/gate/calibration/calibration.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline gate::inline calibration {

/// What was calibrated, and how.
struct CalibrationFacts {
  std::string suite, baseline;
  Json subject;  ///< benchmarks and settings of the gate
  std::optional<std::string> stratum;
  std::int64_t pairs = 0, hogs = 0;
  double slow_down = 0;  ///< of one side, as a share: the rate is power
  bool by_work = false;  ///< the slow-down is work of the processes; else their values were made worse
  double limit = 0;
  std::int64_t more = 0;         ///< null suites that are missing for a bound below the limit
  std::int64_t measured_ns = 0;  ///< start of the last process
};

/// retrial.calibration/1 as it is stored: numbers as their bits.
[[nodiscard]] Json calibration_record(const Calibration& found, const Calibration::Rate& rate,
                                      const CalibrationFacts& facts);
/// The record as programs read it: numbers in place of their bits, and the benchmarks.
[[nodiscard]] Json shown_record(Json record, const Calibration& found, const Calibration::Rate& rate,
                                const CalibrationFacts& facts, int exit);
[[nodiscard]] report::Section calibration_section(const Calibration& found, const Calibration::Rate& rate,
                                                  const CalibrationFacts& facts);

}  // namespace retrial::harness::inline gate::inline calibration
