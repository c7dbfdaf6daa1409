#include "harness/system/machine_load.hpp"

#include "determinism/manifest/machine.hpp"
#include "harness/system/host.hpp"
#include "results/json/json.hpp"
#include "results/report/drawing/numbers.hpp"

namespace retrial::harness::inline system {

MachineLoad machine_now() {
  const Json machine = determinism::machine_facts();
  const auto model = machine.at("cpu_model").is_string() ? machine.at("cpu_model").get<std::string>() : "unknown CPU";
  return {.machine = model + ", " + report::counted(usable_cpus(), "CPU") + " usable",
          .before = load_now(),
          .cpus = usable_cpus()};
}

std::string load_text(const MachineLoad& here) {
  return report::short_text(here.before, 3) + " before, " + report::short_text(here.after, 3) + " after, on " +
         report::counted(here.cpus, "CPU");
}

}  // namespace retrial::harness::inline system
