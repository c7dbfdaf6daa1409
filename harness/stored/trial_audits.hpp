#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "workloads/interface/contributions.hpp"
#include "workloads/interface/evidence.hpp"

/// Finished trials as a workload sees them, and the findings of its audits.
namespace retrial::harness::inline stored {

/// The contributors to this study; none if this program does not know its workload.
[[nodiscard]] std::vector<workloads::Contributor> contributors_of(const StudyView& study);

/// A trial that is done. It reads artifacts from the store on demand, so the store must outlive it.
[[nodiscard]] workloads::FinishedTrial finished_trial(const results::Store& store, const PlannedTrial& trial);
/// The same for a record that is not in a store.
[[nodiscard]] workloads::FinishedTrial finished_trial(const results::TrialRecord& record, std::int64_t pair);

/// The findings of all audits of the contributors in one trial; the kind of a finding is the name of its audit.
[[nodiscard]] std::vector<workloads::Finding> audited(std::span<const workloads::Contributor> contributors,
                                                      const workloads::FinishedTrial& trial, const Values& values);
/// The names of all audits.
[[nodiscard]] std::vector<std::string> audit_names(std::span<const workloads::Contributor> contributors);

struct AuditedTrial {
  std::string study, trial;  ///< the name of the study, "kd/3"
  workloads::Finding finding;
};
/// Findings in every finished trial of every study of the store.
[[nodiscard]] std::vector<AuditedTrial> audited(const results::Store& store);

}  // namespace retrial::harness::inline stored
