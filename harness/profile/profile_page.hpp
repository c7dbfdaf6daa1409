#pragma once

#include <string>

#include "harness/profile/profile_run.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline profile {

struct ProfileConditions {
  std::string study, workload, seed, machine, mode;
  double tolerance = 5;
  std::int64_t blocks = 0, pairs = 0;
  bool calibrated = true;
  double load_before = 0, load_after = 0;
  int cpus = 1;
};

/// For each variant: what profiling cost, whether its removal is valid, and where the time went. JSON document
/// retrial.profile/1.
[[nodiscard]] report::Part profile_part(const ProfileConditions& conditions, const ProfiledStudy& study);

}  // namespace retrial::harness::inline profile
