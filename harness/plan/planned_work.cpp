#include "harness/plan/planned_work.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/plan/trial_body.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/json/json.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline plan {
namespace {

/// Identifies the result of a shared phase: its keys and its seeds.
std::string shared_result(const workloads::Effort& effort, const Json& seeds) {
  std::string name = effort.shared_by;
  for (const std::string& source : effort.shared_sources)
    if (seeds.contains(source)) name += "\n" + source + " " + seeds.at(source).get<std::string>();
  return name;
}

/// One decimal below ten minutes; more would be false precision.
std::string minutes_text(double seconds) {
  const double minutes = seconds / 60;
  return minutes < .1 ? "less than 0.1"
                      : "about " + short_text(minutes < 10 ? std::ceil(minutes * 10) / 10 : std::ceil(minutes));
}

}  // namespace

std::optional<PlannedWork> planned_work(const Study& study, const Plan& plan, const std::filesystem::path& data) {
  const auto& effort_of = workloads::find_workload(study.workload, "").contributes.effort;
  if (!effort_of || !plan.searches.empty()) return std::nullopt;
  std::map<std::string, workloads::Effort> efforts;
  for (const auto& variant : study.variants) efforts[variant.name] = effort_of(variant.values, data);
  if (!std::ranges::all_of(efforts, [](const auto& effort) { return effort.second.counted; })) return std::nullopt;
  const workloads::Effort& any = efforts.begin()->second;
  PlannedWork work{.shared_phase = any.shared_phase, .own_phase = any.own_phase};
  std::set<std::string> shared;
  for (const auto& entry : plan.entries) {
    const workloads::Effort& effort = efforts.at(entry.variant);
    if (shared.insert(shared_result(effort, TrialBody(entry).seeds())).second)
      work.cpu_seconds += effort.shared_seconds;
    work.own_count += effort.own_count;
    work.cpu_seconds += effort.own_seconds;
  }
  work.shared_count = static_cast<std::int64_t>(shared.size());
  work.trials = static_cast<std::int64_t>(plan.entries.size());
  return work;
}

std::string text_of(const PlannedWork& work) {
  return (work.shared_phase.empty() ? "" : counted(work.shared_count, work.shared_phase) + ", ") +
         counted(work.trials, "trial") + ", " + counted(work.own_count, work.own_phase) + "; " +
         minutes_text(work.cpu_seconds) + " CPU-minutes, from counts of multiplications";
}

Json json_of(const PlannedWork& work) {
  Json out{{report::plural(work.own_phase), work.own_count},
           {"trials", work.trials},
           {"cpu_seconds", derived(work.cpu_seconds)}};
  if (!work.shared_phase.empty()) out[report::plural(work.shared_phase)] = work.shared_count;
  return out;
}

}  // namespace retrial::harness::inline plan
