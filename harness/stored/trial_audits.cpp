#include "harness/stored/trial_audits.hpp"

#include <algorithm>

#include "harness/plan/trial_name.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline stored {
namespace {

using workloads::Contributor, workloads::FinishedTrial;

FinishedTrial trial_of(std::int64_t pair, const std::vector<results::MetricValue>& metrics) {
  FinishedTrial out{.pair = pair, .series = {}, .finals = {}, .artifact = {}};
  for (const results::MetricValue& point : metrics)
    if (point.step >= 0)
      out.series[point.name][point.step] = point.value;
    else
      out.finals[point.name] = point.value;
  return out;
}

Json parsed_artifact(const std::optional<std::string>& body, std::string_view name) {
  return body ? results::parse_json(*body, "artifact " + std::string(name)) : Json();
}

std::optional<std::string> body_of(const std::vector<results::ArtifactValue>& artifacts, std::string_view name) {
  const auto found = std::ranges::find(artifacts, name, &results::ArtifactValue::name);
  return found == artifacts.end() || found->kind != "json" ? std::nullopt : found->body;
}

void audit_study(const results::Store& store, const StudyView& study, std::vector<AuditedTrial>& to) {
  const auto contributors = contributors_of(study);
  if (audit_names(contributors).empty()) return;
  const workloads::Declaration& declaration = workloads::find_workload(study.workload, "");
  std::map<std::string, Values> values;
  for (const VariantView& variant : study.variants) values[variant.name] = values_of(declaration, variant);
  for (const PlannedTrial& trial : plan_state(store, study.plan)) {
    if (trial.state != TrialState::done) continue;
    for (auto& finding : audited(contributors, finished_trial(store, trial), values[trial.entry.variant]))
      to.push_back({study.name, trial_name(trial.entry), std::move(finding)});
  }
}

}  // namespace

std::vector<Contributor> contributors_of(const StudyView& study) {
  const workloads::Declaration* declaration = workloads::workload_if_known(study.workload);
  if (declaration == nullptr) return {};
  std::vector<Values> variants;
  for (const VariantView& variant : study.variants) variants.push_back(values_of(*declaration, variant));
  return workloads::contributions_of(*declaration, variants);
}

FinishedTrial finished_trial(const results::Store& store, const PlannedTrial& trial) {
  FinishedTrial out = trial_of(trial.entry.pair_index, store.metrics(trial.row->id));
  out.artifact = [&store, id = trial.row->id](std::string_view name) {
    return parsed_artifact(store.json_artifact(id, name), name);
  };
  return out;
}

FinishedTrial finished_trial(const results::TrialRecord& record, std::int64_t pair) {
  FinishedTrial out = trial_of(pair, record.metrics);
  out.artifact = [artifacts = record.artifacts](std::string_view name) {
    return parsed_artifact(body_of(artifacts, name), name);
  };
  return out;
}

std::vector<workloads::Finding> audited(std::span<const Contributor> contributors, const FinishedTrial& trial,
                                        const Values& values) {
  std::vector<workloads::Finding> out;
  for (const Contributor& by : contributors)
    for (const workloads::Audit& audit : by.contributes->audits)
      for (workloads::Finding& finding : audit.find(trial, values)) {
        finding.kind = audit.name;
        out.push_back(std::move(finding));
      }
  return out;
}

std::vector<std::string> audit_names(std::span<const Contributor> contributors) {
  std::vector<std::string> out;
  for (const Contributor& by : contributors)
    for (const workloads::Audit& audit : by.contributes->audits) out.push_back(audit.name);
  return out;
}

std::vector<AuditedTrial> audited(const results::Store& store) {
  std::vector<AuditedTrial> out;
  for (const auto& row : store.studies()) audit_study(store, read_study(store, row), out);
  return out;
}

}  // namespace retrial::harness::inline stored
