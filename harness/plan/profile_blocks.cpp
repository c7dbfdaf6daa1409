#include "harness/plan/profile_blocks.hpp"

#include "workloads/profiler/measured/configurations.hpp"

namespace retrial::harness::inline plan {

std::vector<std::vector<std::size_t>> blocks_of(const std::vector<results::PlanEntry>& plan) {
  std::vector<std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (i == 0 || plan[i].variant != plan[i - 1].variant || plan[i].block != plan[i - 1].block) out.emplace_back();
    out.back().push_back(i);
  }
  return out;
}

std::vector<bool> measured_places(const std::vector<results::PlanEntry>& plan, const ProfileDesign& design) {
  std::vector<bool> out(plan.size(), false);
  for (const auto& block : blocks_of(plan)) {
    const auto runs = profiler::runs_of_block(plan[block.front()].block, design.blocks, design.collects());
    for (std::size_t i = 0; i < block.size() && i < runs.size(); ++i)
      out[block[i]] = runs[i].role == profiler::Role::measured;
  }
  return out;
}

}  // namespace retrial::harness::inline plan
