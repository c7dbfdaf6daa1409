#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/study/declared/profile_design.hpp"
#include "results/store/store.hpp"
#include "workloads/profiler/measured/configurations.hpp"

namespace retrial::harness::inline plan {

/// The runs of one block of such a study, in the order of its plan.
[[nodiscard]] std::vector<profiler::PlannedRun> profile_runs(const ProfileDesign& design, std::int64_t block);

/// Places in the plan of a profile study by block, in order. One block is run in one launch.
[[nodiscard]] std::vector<std::vector<std::size_t>> blocks_of(const std::vector<results::PlanEntry>& plan);

/// The places whose trials stand for their pairs, in claims, tables and figures: of a profile study the measured runs,
/// with everything recorded; of any other study all.
[[nodiscard]] std::vector<std::size_t> places_of_pairs(const std::vector<results::PlanEntry>& plan,
                                                       const std::optional<ProfileDesign>& profile);

}  // namespace retrial::harness::inline plan
