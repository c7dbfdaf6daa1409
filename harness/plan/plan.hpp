#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/study/checks/study.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline plan {

/// Every trial of a study, in order, hashed before anything runs.
struct Plan {
  Json study;  ///< the study document
  std::optional<Json> design;
  results::Digest study_digest{}, plan_digest{};
  std::vector<results::PlanEntry> entries;
  std::vector<Json> searches;  ///< documents of the searches that choose keys
};

/// The program as it enters identities: by the workload's own rule (file hashes of a command), else `build_id`.
/// `label` (--program-label) replaces both.
[[nodiscard]] Json program_of(const Study& study, const StudyVariant& variant, const std::string& build_id,
                              const std::optional<std::string>& label);

struct PlanInputs {
  std::string build_id;  ///< build of the worker; empty before there is a worker, and then null in the identities
  std::optional<std::string> program_label;
  std::filesystem::path data;  ///< folder of the data sets
  std::int64_t max_trials = 100'000;
};

/// The study's seed must be set. Throws Error that names the pairs when the plan would be larger than max_trials.
[[nodiscard]] Plan make_plan(const Study& study, const PlanInputs& inputs);

/// One trial outside a plan (check, liveness): source `s` has pair index pairs.at(s), or 0 if it is not in `pairs`.
[[nodiscard]] results::PlanEntry make_trial(const Study& study, const StudyVariant& variant, const PlanInputs& inputs,
                                            const std::map<std::string, std::uint64_t>& pairs, std::uint64_t pair);

}  // namespace retrial::harness::inline plan
