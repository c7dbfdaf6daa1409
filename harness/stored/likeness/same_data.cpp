#include "harness/stored/likeness/same_data.hpp"

#include <algorithm>
#include <map>

#include "harness/plan/trial_body.hpp"
#include "harness/stored/likeness/seed_effect.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline stored::inline likeness {
namespace {

/// The first trial of a variant: all its trials have the same data.
const results::PlanEntry* first_of(const std::vector<results::PlanEntry>& plan, const std::string& variant) {
  const auto first = std::ranges::find(plan, variant, &results::PlanEntry::variant);
  return first == plan.end() ? nullptr : &*first;
}

std::string shown(const std::string& digest) {
  return digest.empty() ? "none" : digest.substr(0, 12);
}

struct Side {
  std::string variant, data;
};

/// Empty where both have the same data.
std::string data_differ(const Side& baseline, const Side& candidate) {
  if (baseline.data == candidate.data) return "";
  return candidate.variant + " and " + baseline.variant + " have different data: " + shown(candidate.data) + " and " +
         shown(baseline.data);
}

void demand_one(const Side& baseline, const Side& candidate) {
  const std::string problem = data_differ(baseline, candidate);
  if (problem.empty()) return;
  throw Error({.exit = Exit::incomparable,
               .code = "compare.other_data",
               .problem = problem,
               .help = "scores on different images cannot be compared: give both variants the same data set, files "
                       "and downscale"});
}

Side planned_side(const std::vector<results::PlanEntry>& plan, const std::string& variant) {
  const auto* first = first_of(plan, variant);
  return {variant, first == nullptr ? "" : TrialBody(*first).dataset()};
}

Side stored_side(const results::Store& store, const StudyView& study, const std::string& variant) {
  const auto* first = first_of(study.plan, variant);
  return {variant, first == nullptr ? "" : TrialBody(store.trial_body(study.digest, first->ordinal)).dataset()};
}

/// The values of the keys that a variant reads; other keys do not change it.
Values values_read(const workloads::Declaration& declaration, const StudyVariant& variant) {
  Values all = workloads::portable(declaration, variant.values);
  if (!declaration.reads) return all;
  Values out;
  for (const auto& key : declaration.reads(variant.values))
    if (const auto value = all.find(key); value != all.end()) out.insert(*value);
  return out;
}

std::vector<std::string> twins(const Study& study) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  std::vector<Values> seen;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < study.variants.size(); ++i) {
    seen.push_back(values_read(declaration, study.variants[i]));
    const auto first = std::ranges::find(seen, seen.back()) - seen.begin();
    if (static_cast<std::size_t>(first) == i) continue;
    out.push_back(study.variants[static_cast<std::size_t>(first)].name + " and " + study.variants[i].name +
                  " are configured identically: they differ by chance only ([set] and --set override presets)");
  }
  return out;
}

/// Programs of which an edit would not be noticed, in one sentence for each reason.
std::vector<std::string> unseen_programs(const Study& study) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  if (!declaration.program_files) return {};
  std::map<std::string, std::vector<std::string>> variants;
  for (const auto& variant : study.variants)
    if (auto reason = declaration.program_files(variant.values).unseen; !reason.empty())
      variants[reason].push_back(variant.name);
  std::vector<std::string> out;
  for (const auto& [reason, names] : variants)
    out.push_back(results::joined(names) + ": " + reason +
                  ", so an edit of the program does not change its identity; name its files with --input FILE");
  return out;
}

}  // namespace

void demand_same_data(const std::vector<results::PlanEntry>& plan, const std::string& baseline,
                      const std::string& candidate) {
  demand_one(planned_side(plan, baseline), planned_side(plan, candidate));
}

void demand_same_data(const results::Store& store, const StudyView& study, const std::string& baseline,
                      const std::string& candidate) {
  demand_one(stored_side(store, study, baseline), stored_side(store, study, candidate));
}

std::vector<std::string> variant_remarks(const Study& study, const Plan& plan) {
  std::vector<std::string> out = twins(study);
  const auto& declaration = workloads::find_workload(study.workload, "");
  for (const auto& variant : study.variants)
    if (declaration.remarks)
      for (const auto& remark : declaration.remarks(variant.values)) out.push_back(variant.name + ": " + remark);
  for (const auto& variant : study.variants)
    if (constant_by_declaration(study.workload, variant.values))
      out.push_back(variant.name + " is constant by declaration: it has no seed");
  for (auto& sentence : unseen_programs(study)) out.push_back(std::move(sentence));
  if (!study.compare) return out;
  if (study.variants.front().name == study.compare->candidate)
    out.push_back(study.compare->candidate + ", listed first, is the candidate; " + study.compare->baseline +
                  " is its baseline");
  const auto problem = data_differ(planned_side(plan.entries, study.compare->baseline),
                                   planned_side(plan.entries, study.compare->candidate));
  if (!problem.empty()) out.push_back(problem + "; retrial compare will reject them");
  return out;
}

}  // namespace retrial::harness::inline stored::inline likeness
