#pragma once

#include <optional>
#include <string>

#include "harness/profile/stored_profile.hpp"
#include "harness/system/machine_load.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline profile {

struct ProfileConditions {
  std::string study, workload, seed, mode;
  double tolerance = 5;
  std::int64_t blocks = 0, pairs = 0;
  std::optional<MachineLoad> here = {};  ///< absent where the profile is only read from its store

  [[nodiscard]] bool calibrated() const { return blocks > 0; }
};

/// For each variant: what profiling cost, whether its removal is valid, and where the time went. JSON document
/// retrial.profile/1.
[[nodiscard]] report::Part profile_part(const ProfileConditions& conditions,
                                        const std::vector<ProfiledVariant>& variants);

[[nodiscard]] bool any_rule_fired(const ProfiledVariant& variant);

/// The share of the time of each operation in each variant, with its interval over pairs.
[[nodiscard]] report::Figure shares_figure(const std::vector<ProfiledVariant>& variants);
/// How far the corrected time of each variant is off, with every pair. Only where profiling was calibrated.
[[nodiscard]] report::Figure bias_figure(const std::vector<ProfiledVariant>& variants);

}  // namespace retrial::harness::inline profile
