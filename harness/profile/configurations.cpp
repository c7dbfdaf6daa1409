#include "harness/profile/configurations.hpp"

#include "workloads/profiler/overhead/kinds.hpp"

namespace retrial::harness::inline profile {

const std::vector<Configuration>& configurations() {
  using profiler::Category;
  static const std::vector<Configuration> all{
      {.name = "off", .meaning = "nothing recorded"},
      {.name = "annotations", .meaning = "operations alone", .operations = true, .kind = profiler::annotation_kind},
      {.name = "operators",
       .meaning = "calls into LibTorch alone",
       .collector = true,
       .kind = profiler::hook_kind(Category::backend)},
      {.name = "layers",
       .meaning = "steps of environments alone",
       .layers = true,
       .kind = profiler::hook_kind(Category::simulator)},
      {.name = "full", .meaning = "everything recorded", .operations = true, .layers = true, .collector = true},
  };
  return all;
}

const Configuration& nothing_recorded() {
  return configurations().front();
}

const Configuration& everything_recorded() {
  return configurations().back();
}

}  // namespace retrial::harness::inline profile
