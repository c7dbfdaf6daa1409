#include "harness/planned_work.hpp"

#include <cmath>
#include <map>
#include <set>

#include "harness/output.hpp"
#include "harness/report/numbers.hpp"
#include "harness/trial_body.hpp"
#include "results/json.hpp"
#include "workloads/effort.hpp"

namespace retrial::harness {
namespace {

/// What tells the thing that is trained first from all others: its keys and its seeds.
std::string name_of_first(const workloads::Effort& effort, const Json& seeds) {
  std::string name = effort.first_is;
  for (const std::string& source : effort.first_sources)
    if (seeds.contains(source)) name += "\n" + source + " " + seeds.at(source).get<std::string>();
  return name;
}

/// Tenths below ten minutes: nobody plans an afternoon by them.
std::string minutes_text(double seconds) {
  const double minutes = seconds / 60;
  return minutes < .1 ? "less than 0.1"
                      : "about " + short_text(minutes < 10 ? std::ceil(minutes * 10) / 10 : std::ceil(minutes));
}

}  // namespace

std::optional<PlannedWork> planned_work(const Study& study, const Plan& plan, const std::filesystem::path& data) {
  if (!plan.searches.empty()) return std::nullopt;
  std::map<std::string, workloads::Effort> efforts;
  for (const auto& variant : study.variants) {
    auto effort = workloads::effort_of(study.workload, variant.values, data);
    if (!effort) return std::nullopt;
    efforts[variant.name] = std::move(*effort);
  }
  PlannedWork work{.first = efforts.begin()->second.first, .then = efforts.begin()->second.then};
  std::set<std::string> firsts;
  for (const auto& entry : plan.entries) {
    const workloads::Effort& effort = efforts.at(entry.variant);
    if (firsts.insert(name_of_first(effort, TrialBody(entry).seeds())).second) work.cpu_seconds += effort.first_seconds;
    work.thens += effort.then_count;
    work.cpu_seconds += effort.then_seconds;
  }
  work.firsts = static_cast<std::int64_t>(firsts.size());
  work.trials = static_cast<std::int64_t>(plan.entries.size());
  return work;
}

std::string text_of(const PlannedWork& work) {
  return counted(work.firsts, work.first) + ", " + counted(work.trials, "trial") + ", " +
         counted(work.thens, work.then) + "; " + minutes_text(work.cpu_seconds) +
         " CPU-minutes, from counts of multiplications";
}

Json json_of(const PlannedWork& work) {
  return {{work.first + "s", work.firsts},
          {work.then + "s", work.thens},
          {"trials", work.trials},
          {"cpu_seconds", derived(work.cpu_seconds)}};
}

}  // namespace retrial::harness
