#include "workloads/profiler/measured/configurations.hpp"

#include "workloads/profiler/overhead/kinds.hpp"

namespace retrial::profiler::inline measured {

std::vector<Configuration> configurations(const Level& level) {
  std::vector<Configuration> all{
      {.name = "off", .meaning = "nothing recorded"},
      {.name = "annotations", .meaning = "operations alone", .operations = true, .kind = annotation_kind},
      {.name = "operators",
       .meaning = "calls into LibTorch alone",
       .collector = true,
       .kind = hook_kind(Category::backend)},
      {.name = "layers",
       .meaning = "steps of environments alone",
       .layers = true,
       .kind = hook_kind(Category::simulator)},
  };
  std::erase_if(all, [&](const Configuration& one) {
    return (one.operations && !level.operations) || (one.layers && !level.layers) ||
           (one.collector && !level.collector);
  });
  all.push_back({.name = "full",
                 .meaning = "everything recorded",
                 .operations = level.operations,
                 .layers = level.layers,
                 .collector = level.collector});
  return all;
}

std::string_view name_of(Role role) {
  switch (role) {
    case Role::calibration:
      return "calibration";
    case Role::off:
      return "off";
    case Role::measured:
      return "measured";
  }
  return "";
}

std::vector<PlannedRun> runs_of_block(std::int64_t block, std::int64_t calibration_blocks, const Level& level) {
  const auto all = configurations(level);
  std::vector<PlannedRun> out;
  if (block < calibration_blocks) {
    for (std::size_t i = 0; i < all.size(); ++i)
      out.push_back({Role::calibration, all[(static_cast<std::size_t>(block) + i) % all.size()]});
    return out;
  }
  out = {{Role::off, all.front()}, {Role::measured, all.back()}};
  if (pair_of_block(block, calibration_blocks) % 2 == 0) std::swap(out[0], out[1]);
  return out;
}

}  // namespace retrial::profiler::inline measured
