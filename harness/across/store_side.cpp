#include "harness/across/store_side.hpp"

#include "harness/plan/trial_name.hpp"
#include "harness/stored/likeness/emulated_trials.hpp"
#include "harness/stored/metric_summary.hpp"
#include "harness/stored/result_digest.hpp"
#include "harness/stored/store_choice.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline across {
namespace {

[[noreturn]] void refuse_sides(const StoreSide& baseline, const StoreSide& candidate, const std::string& field,
                               const std::string& of_candidate, const std::string& of_baseline,
                               const std::string& help) {
  throw Error({.code = "across." + field,
               .where = candidate.name,
               .field = field,
               .value = results::one_line(of_candidate, 100),
               .problem = "but " + results::one_line(of_baseline, 100) + " in " + baseline.name,
               .help = help});
}

void refuse_study(const StoreSide& side, const std::string& problem, const std::string& help) {
  throw Error({.exit = Exit::incomparable,
               .code = "across.study",
               .where = side.name,
               .problem = "study " + side.study.name + " " + problem,
               .help = help});
}

void demand_fixed_runs(const StoreSide& side) {
  if (side.study.variance && side.study.variance->design != "ideal")
    refuse_study(side, "is a study of variance: its runs share seeds by design " + side.study.variance->design,
                 "retrial variance prints the share of each source");
  if (side.study.design && side.study.design->sequential())
    refuse_study(side,
                 "has a sequential design (" + side.study.design->family +
                     "): its scores decided when the pairs ended, so no test for a fixed number of pairs is valid",
                 "retrial explain A.db TRIAL B.db TRIAL compares the bits of two trials");
}

/// A store without an emulated trial counts as native next to one that has some.
CpuKinds both_kinds(const StoreSide& baseline, const StoreSide& candidate) {
  CpuKinds both;
  for (const StoreSide* side : {&baseline, &candidate}) {
    const auto kinds = cpu_kinds(side->store, side->study.digest, side->trials);
    for (const auto& [kind, trial] : kinds) both.try_emplace(kind, trial + " of " + side->name);
    if (kinds.empty() && !side->trials.empty())
      both.try_emplace("", trial_name(side->trials.front().entry) + " of " + side->name);
  }
  return both;
}

}  // namespace

StoreSide read_store_side(const std::string& path, const std::optional<std::string>& study) {
  StoreSide out{.name = path, .store = open_for_reading(existing_store(path))};
  const auto row = chosen_study(out.store, study);
  out.study = read_study(out.store, row);
  out.document = row.document;
  out.trials = plan_state(out.store, out.study.plan);
  ResultIdentities identities(out.store);
  for (const auto& entry : out.store.plan(row.digest)) {
    out.bodies.emplace_back(entry);
    out.result_identities.push_back(identities.of(entry.identity).identity.value_or(entry.identity));
  }
  return out;
}

void demand_matching_studies(const StoreSide& baseline, const StoreSide& candidate) {
  if (baseline.study.workload != candidate.study.workload)
    refuse_sides(baseline, candidate, "workload", candidate.study.workload, baseline.study.workload,
                 "two stores are compared by the same workload; --study selects a study where a store holds several");
  demand_fixed_runs(baseline);
  demand_fixed_runs(candidate);
  demand_one_kind_of_cpu(both_kinds(baseline, candidate), baseline.name + ", " + candidate.name);
}

SharedMetric shared_metric(const StoreSide& baseline, const StoreSide& candidate, const ComparisonChoice& choice) {
  std::vector<std::string> undeclared, again;
  const auto before = metric_to_compare(baseline.store, baseline.study, choice, undeclared),
             after = metric_to_compare(candidate.store, candidate.study, choice, again);
  if (before.name != after.name)
    refuse_sides(baseline, candidate, "metric", after.name, before.name,
                 "the two studies judge different metrics: choose one that both have with --metric");
  if (before.direction != after.direction)
    refuse_sides(baseline, candidate, "direction of " + after.name, std::string(results::name_of(after.direction)),
                 std::string(results::name_of(before.direction)), "choose another metric with --metric");
  if (before.unit != after.unit)
    refuse_sides(baseline, candidate, "unit of " + after.name, after.unit, before.unit,
                 "choose another metric with --metric");
  return {.def = before, .undeclared = undeclared};
}

}  // namespace retrial::harness::inline across
