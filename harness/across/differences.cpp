#include "harness/across/differences.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "determinism/manifest/manifest.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/stored/result_digest.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline across {
namespace {

bool done(const SideRun& run) {
  return run.trial->state == TrialState::done;
}

results::Digest payload(const StoreSide& side, const SideRun& run) {
  return payload_as(side.store, *run.trial->row, run.result_identity, side.store.metric_defs());
}

/// The trial's own name and what the page says elsewhere are no finding.
bool reported(const determinism::FieldDifference& difference, bool paired) {
  const std::string& path = difference.path;
  if (path.starts_with("trial.") || (!paired && path.starts_with("randomness."))) return false;
  return difference.kind == determinism::FieldClass::explanatory || path.starts_with("machine.");
}

/// Keys of the workload are decimal for people: 3fb999999999999a reads 0.1.
std::string value_shown(const std::string& workload, const std::string& path, const std::string& value) {
  constexpr std::string_view keys = "inputs.values.";
  const auto* declaration = workloads::workload_if_known(workload);
  if (declaration == nullptr || !path.starts_with(keys)) return value;
  const auto* parameter = workloads::find_parameter(*declaration, path.substr(keys.size()));
  if (parameter == nullptr || !std::holds_alternative<double>(parameter->fallback)) return value;
  const auto number = results::double_from_hex(value);
  return number ? results::text_of(*number) : value;
}

class Collected {
 public:
  void add(const determinism::FieldDifference& difference, const std::string& workload) {
    const auto [found, fresh] = places_.emplace(difference.path, fields_.size());
    if (fresh)
      fields_.push_back({.field = difference.path,
                         .baseline = value_shown(workload, difference.path, difference.a),
                         .candidate = value_shown(workload, difference.path, difference.b)});
    ++fields_[found->second].trials;
  }
  [[nodiscard]] std::vector<StoreDifference> fields() && { return std::move(fields_); }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<StoreDifference> fields_;
};

}  // namespace

SameIdentity same_identity(const StoreSide& baseline, const StoreSide& candidate, std::span<const MatchedRuns> all) {
  SameIdentity out;
  for (const MatchedRuns& runs : all) {
    std::map<std::pair<results::Digest, std::uint32_t>, const SideRun*> before;
    for (const SideRun& run : runs.baseline)
      if (done(run)) before.emplace(std::pair(run.result_identity, run.trial->entry.replicate), &run);
    for (const SideRun& run : runs.candidate) {
      const auto found = before.find({run.result_identity, run.trial->entry.replicate});
      if (!done(run) || found == before.end()) continue;
      ++out.trials;
      if (found->second->trial->entry.identity != run.trial->entry.identity) ++out.other_build;
      if (payload(baseline, *found->second) == payload(candidate, run)) {
        ++out.equal;
      } else if (out.first_baseline.empty()) {
        out.first_baseline = trial_name(found->second->trial->entry);
        out.first_candidate = trial_name(run.trial->entry);
      }
    }
  }
  return out;
}

StoreDifferences differences_of(const StoreSide& baseline, const StoreSide& candidate,
                                std::span<const MatchedRuns> all) {
  StoreDifferences out;
  Collected collected;
  for (const MatchedRuns& runs : all) {
    const std::size_t count = runs.pairs > 0 ? runs.pairs : std::min(runs.baseline.size(), runs.candidate.size());
    for (std::size_t i = 0; i < count; ++i) {
      if (!done(runs.baseline[i]) || !done(runs.candidate[i])) continue;
      ++out.compared;
      const auto found = determinism::diff_manifests(baseline.store.manifest(runs.baseline[i].trial->row->id),
                                                     candidate.store.manifest(runs.candidate[i].trial->row->id), false);
      for (const auto* fields : {&found.explanatory, &found.others})
        for (const auto& field : *fields)
          if (reported(field, runs.pairs > 0)) collected.add(field, baseline.study.workload);
    }
  }
  out.fields = std::move(collected).fields();
  return out;
}

}  // namespace retrial::harness::inline across
