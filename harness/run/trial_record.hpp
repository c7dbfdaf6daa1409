#pragma once

#include "harness/plan/trial_body.hpp"
#include "harness/worker/pool.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline run {

/// The id of one launch of retrial and the machine it runs on.
struct Launch {
  results::Id16 id{}, boot{};
  std::string host;
};

/// The costs that every trial has: wall_s, cpu_s, peak_rss_mib; and instructions, where the kernel gives its hardware
/// counter to programs.
[[nodiscard]] const std::vector<results::MetricDef>& worker_costs();

/// Everything the store keeps of one attempt: the worker's result, the manifest with the fields of this trial, and the
/// costs above unless the workload measures them itself.
[[nodiscard]] results::TrialRecord record_of(const results::PlanEntry& entry, const TrialBody& body,
                                             const JobResult& result, const results::Id16& attempt,
                                             const Launch& launch, const Json& study);

/// The first difference, in step order, between the outcome metrics and digests of two attempts, compared bit by bit.
struct Difference {
  std::string what;        ///< "digest weights", "metric accuracy", "status"
  std::int64_t step = -1;  ///< -1: the end
  std::string a, b;
};
[[nodiscard]] std::optional<Difference> first_difference(const results::TrialRecord& a, const results::TrialRecord& b);

}  // namespace retrial::harness::inline run
