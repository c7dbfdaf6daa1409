#include "harness/judge/design/beside.hpp"

#include <algorithm>

#include "harness/stored/trial_audits.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline judge::inline design {
namespace {

/// A trial without its metrics: some have long curves, and no fact needs them.
workloads::FinishedTrial artifacts_of(const results::Store& store, const PlannedTrial& trial) {
  return {.pair = trial.entry.pair_index,
          .series = {},
          .finals = {},
          .artifact = [&store, id = trial.row->id](std::string_view name) {
            const auto body = store.json_artifact(id, name);
            return body ? results::parse_json(*body, "artifact " + std::string(name)) : Json();
          }};
}

}  // namespace

std::vector<std::string> facts_beside(const results::Store& store, const StudyView& study,
                                      const std::vector<PlannedTrial>& trials,
                                      const std::vector<std::string>& variants) {
  std::vector<std::string> out;
  auto contributors = contributors_of(study);
  std::erase_if(contributors, [](const auto& by) { return !by.contributes->beside; });
  if (contributors.empty()) return out;
  const auto& declaration = workloads::find_workload(study.workload, "");
  workloads::StudyEvidence evidence{.study = study.name, .baseline = {}, .candidate = {}, .variants = {}, .judge = {}};
  for (const VariantView& variant : study.variants) {
    if (std::ranges::find(variants, variant.name) == variants.end()) continue;
    workloads::VariantTrials mine{.name = variant.name, .values = values_of(declaration, variant), .trials = {}};
    for (const PlannedTrial& trial : trials)
      if (trial.entry.variant == variant.name && trial.state == TrialState::done)
        mine.trials.push_back(artifacts_of(store, trial));
    evidence.variants.push_back(std::move(mine));
  }
  for (const auto& by : contributors)
    for (std::string& fact : by.contributes->beside(evidence)) out.push_back(std::move(fact));
  return out;
}

}  // namespace retrial::harness::inline judge::inline design
