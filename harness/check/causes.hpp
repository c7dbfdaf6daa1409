#pragma once

#include "harness/check/check_protocol.hpp"

namespace retrial::harness::inline check {

/// Causes that the suspects of `settings` show for one trial of a user's program.
struct Causes {
  std::size_t runs = 0;  ///< always one per suspect
  std::vector<CheckFinding> findings;
  std::vector<std::string> remarks;
  std::vector<std::string> untried;  ///< suspects that this machine cannot try
};

/// `repeats`: the runs of `entry` so far. If they agree, each suspect is tried once: a result that then differs depends
/// on it. If they differ, the runs are spent on settings under which they may agree, and where they do, more of them
/// confirm the likely cause.
[[nodiscard]] Causes find_causes(const results::PlanEntry& entry, const std::vector<results::TrialRecord>& repeats,
                                 const Json& study, const CheckSettings& settings);

/// The number of outcomes that differ from each other in at least one bit.
[[nodiscard]] std::size_t different_outcomes(const std::vector<results::TrialRecord>& records);

}  // namespace retrial::harness::inline check
