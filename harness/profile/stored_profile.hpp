#pragma once

#include <string>
#include <vector>

#include "harness/run/trial_record.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/study/declared/profile_design.hpp"
#include "workloads/profiler/measured/configurations.hpp"
#include "workloads/profiler/overhead/validation.hpp"

namespace retrial::harness::inline profile {

/// Two runs of one trial that differ, though profiling must change nothing.
struct ChangedResult {
  std::string run;  ///< "pair 3, everything recorded"
  Difference difference;
};

/// One run and what it left.
struct ProfiledRun {
  profiler::RunProfile profile;
  results::TrialRecord record;
};

/// The runs of one variant: calibration at pair 0, measured pairs from 1 on.
struct ProfiledVariant {
  std::string name;
  std::vector<profiler::CostEstimate> costs;
  std::vector<profiler::RunProfile> off, full;  ///< by measured pair
  std::vector<ChangedResult> changed;
  profiler::Validation validation;
};

/// The blocks of one variant in plan order; an empty one is not finished.
using ProfiledBlocks = std::vector<std::vector<ProfiledRun>>;

/// The artifact of a trial of a profile study: what its run recorded, under which configuration.
inline const std::string profile_artifact = "profile";
[[nodiscard]] results::ArtifactValue artifact_of(const profiler::RunProfile& run, const profiler::PlannedRun& planned);
/// What the rules said about a measured run.
inline const std::string rules_artifact = "rules";
[[nodiscard]] results::ArtifactValue artifact_of(const profiler::Health& health);

/// The runs of one block as they are stored; empty unless all are there.
[[nodiscard]] std::vector<ProfiledRun> stored_block(const results::Store& store,
                                                    const std::vector<PlannedTrial>& trials,
                                                    const std::vector<std::size_t>& block);

/// What one event of each kind of bookkeeping costs, from the blocks of the calibration. Kinds without an event cost
/// nothing.
[[nodiscard]] std::vector<profiler::CostEstimate> costs_of(const ProfiledBlocks& blocks, const ProfileDesign& design,
                                                           std::uint64_t root);
/// The profile of a variant. Every block must be finished.
[[nodiscard]] ProfiledVariant judged_variant(const std::string& name, const ProfiledBlocks& blocks,
                                             const ProfileDesign& design, std::uint64_t root);

/// The profile of every variant of a finished profile study.
[[nodiscard]] std::vector<ProfiledVariant> stored_profile(const results::Store& store,
                                                          const std::vector<results::PlanEntry>& plan,
                                                          const ProfileDesign& design, std::uint64_t root);

/// Keeps the judged profile of a study as its document `result`, once: times of one launch are no news in another.
void keep_profile(results::Store& store, const results::Digest& study, const Json& profile);

}  // namespace retrial::harness::inline profile
