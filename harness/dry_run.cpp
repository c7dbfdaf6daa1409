#include "harness/dry_run.hpp"

#include "harness/output.hpp"
#include "harness/protocol.hpp"
#include "workloads/registry.hpp"

namespace retrial::harness {

std::string dry_argv(const results::PlanEntry& entry) {
  const auto& declaration = workloads::find_workload(entry.workload, "plan");
  if (!declaration.argv) return "";
  std::string line;
  for (const auto& word : declaration.argv(trial_of(results::parse_json(entry.trial_body, "plan")))) {
    if (!line.empty()) line += " ";
    line += shell_word(word);
  }
  return line;
}

}  // namespace retrial::harness
