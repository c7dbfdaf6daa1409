#pragma once

#include <cstdint>
#include <string>

#include "results/json/json_fwd.hpp"
#include "workloads/profiler/measured/configurations.hpp"

/// Studies of where time goes: how the cost of profiling is measured.
namespace retrial::harness::inline study::inline declared {

/// The table [profile] of a study file. See docs/method/profiling.md.
struct ProfileDesign {
  std::int64_t blocks = 5;           ///< of calibration; 0: nothing is calibrated
  double tolerance = 5;              ///< of the bias of a valid profile, in percent
  std::string collector = "native";  ///< of calls into a library, or "none"
  std::string level = "full";        ///< "annotations": operations alone; "hooks": layers alone
};

[[nodiscard]] const std::vector<std::string>& profile_levels();
[[nodiscard]] profiler::Level profile_level(const ProfileDesign& design);

[[nodiscard]] Json document_of(const ProfileDesign& design);
/// Error{integrity} naming the field if the document is malformed.
[[nodiscard]] ProfileDesign profile_design_of(const Json& document);

}  // namespace retrial::harness::inline study::inline declared
