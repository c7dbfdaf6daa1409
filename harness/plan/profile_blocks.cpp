#include "harness/plan/profile_blocks.hpp"

#include <numeric>

namespace retrial::harness::inline plan {

std::vector<profiler::PlannedRun> profile_runs(const ProfileDesign& design, std::int64_t block) {
  return profiler::runs_of_block(block, design.blocks, profile_level(design));
}

std::vector<std::vector<std::size_t>> blocks_of(const std::vector<results::PlanEntry>& plan) {
  std::vector<std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (i == 0 || plan[i].variant != plan[i - 1].variant || plan[i].block != plan[i - 1].block) out.emplace_back();
    out.back().push_back(i);
  }
  return out;
}

std::vector<std::size_t> places_of_pairs(const std::vector<results::PlanEntry>& plan,
                                         const std::optional<ProfileDesign>& profile) {
  std::vector<std::size_t> out;
  if (!profile) {
    out.resize(plan.size());
    std::iota(out.begin(), out.end(), std::size_t{0});
    return out;
  }
  for (const auto& block : blocks_of(plan)) {
    const auto runs = profile_runs(*profile, plan[block.front()].block);
    for (std::size_t i = 0; i < block.size() && i < runs.size(); ++i)
      if (runs[i].role == profiler::Role::measured) out.push_back(block[i]);
  }
  return out;
}

}  // namespace retrial::harness::inline plan
