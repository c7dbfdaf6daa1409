#pragma once

#include <cstddef>
#include <vector>

#include "harness/study/declared/profile_design.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline plan {

/// Places in the plan of a profile study by block, in order. One block is run in one launch.
[[nodiscard]] std::vector<std::vector<std::size_t>> blocks_of(const std::vector<results::PlanEntry>& plan);

/// For each place: whether its run is the measured one of a pair, with everything recorded. Claims are about those.
[[nodiscard]] std::vector<bool> measured_places(const std::vector<results::PlanEntry>& plan,
                                                const ProfileDesign& design);

}  // namespace retrial::harness::inline plan
