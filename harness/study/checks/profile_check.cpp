#include <algorithm>

#include "harness/study/checks/draft_checks.hpp"
#include "harness/study/checks/study.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/profiler/collectors/collector.hpp"
#include "workloads/profiler/measured/configurations.hpp"
#include "workloads/profiler/measured/profile_metrics.hpp"

namespace retrial::harness::inline study::inline checks {
namespace {

[[noreturn]] void refuse_profile(const std::string& where, const std::string& field, const std::string& value,
                                 const std::string& problem, const std::string& allowed, const std::string& help = "") {
  throw Error({.code = "study.profile",
               .where = where,
               .field = field,
               .value = value,
               .problem = problem,
               .allowed = allowed,
               .help = help});
}

void demand_operations(const StudyDraft& draft, const std::string& workload) {
  if (!workloads::find_workload(workload, "").operations.empty()) return;
  std::vector<std::string> able;
  for (const auto& each : workloads::all_workloads())
    if (!each.operations.empty()) able.push_back(each.name);
  refuse_profile(draft.where, "workload", workload,
                 "opens no operation, so a profile could not say where its time goes", results::joined(able),
                 "docs/method/profiling.md says how a workload opens operations");
}

/// A verdict on scores needs more pairs than a profile, and a design of its own.
void refuse_other_designs(const StudyDraft& draft) {
  const auto refuse_table = [&](const std::string& where, const std::string& table) {
    refuse_profile(where, table, "", "a profile study measures time and judges no variant", "tables [claim.NAME]",
                   "leave out [" + table + "], or [profile]");
  };
  if (draft.variance) refuse_table(draft.variance->where, "variance");
  if (draft.search) refuse_table(draft.search->where, "search");
  for (const auto& [field, where] : draft.places)
    if (field.starts_with("compare")) refuse_table(where, "compare");
}

}  // namespace

ProfileDesign checked_profile(const StudyDraft& draft, const Study& study) {
  const auto& given = *draft.profile;
  demand_operations(draft, study.workload);
  refuse_other_designs(draft);
  ProfileDesign out;
  out.blocks = given.blocks.value_or(out.blocks);
  if (out.blocks != 0 && (out.blocks < 5 || out.blocks > 1000))
    refuse_profile(draft.at("profile.blocks"), "profile.blocks", std::to_string(out.blocks), "out of range",
                   "5 to 1000; 0: no calibration");
  out.tolerance = given.tolerance.value_or(out.tolerance);
  if (!(out.tolerance >= 0 && out.tolerance <= 100))
    refuse_profile(draft.at("profile.tolerance"), "profile.tolerance", results::text_of(out.tolerance), "out of range",
                   "0 to 100 (%)");
  out.collector = given.collector.value_or(out.collector);
  if (const auto built = profiler::built_collectors(); std::ranges::find(built, out.collector) == built.end())
    refuse_profile(draft.at("profile.collector"), "profile.collector", results::one_line(out.collector, 80),
                   "not built into this program", results::joined(built),
                   draft_checks::suggestion(out.collector, built));
  out.level = given.level.value_or(out.level);
  if (std::ranges::find(profile_levels(), out.level) == profile_levels().end())
    refuse_profile(draft.at("profile.level"), "profile.level", results::one_line(out.level, 80), "unknown level",
                   results::joined(profile_levels()), draft_checks::suggestion(out.level, profile_levels()));
  if (study.pairs < 5 || study.pairs > 1000)
    refuse_profile(draft.at("pairs"), "pairs", std::to_string(study.pairs),
                   "too few or too many measured pairs for a profile", "5 to 1000");
  return out;
}

std::int64_t profile_run_count(const Study& study) {
  const auto each = std::ssize(profiler::configurations(profile_level(study.profile.value())));
  return std::ssize(study.variants) * (study.profile->blocks * each + 2 * study.pairs);
}

std::vector<results::MetricDef> claimable_metrics(const workloads::Declaration& declaration, const Study& study,
                                                  const Values& values) {
  auto out = workloads::metrics_under(declaration, values);
  if (study.profile) {
    auto more = profiler::profile_metrics(declaration.operations);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

}  // namespace retrial::harness::inline study::inline checks
