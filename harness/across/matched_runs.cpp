#include "harness/across/matched_runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/judge/design/comparison.hpp"
#include "harness/judge/design/design_violation.hpp"
#include "harness/judge/design/scale.hpp"
#include "harness/stored/likeness/same_data.hpp"
#include "harness/stored/likeness/seed_effect.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/samples/ties.hpp"
#include "variance/verdict/decided_scores.hpp"

namespace retrial::harness::inline across {
namespace {

std::vector<std::string> names_of(const StoreSide& side) {
  std::vector<std::string> out;
  for (const auto& variant : judged_variants(side.study)) out.push_back(variant.name);
  return out;
}

bool has_variant(const StoreSide& side, const std::string& name) {
  const auto names = names_of(side);
  return std::ranges::find(names, name) != names.end();
}

void demand_variant(const StoreSide& side, const std::string& option, const std::string& name) {
  if (has_variant(side, name)) return;
  const auto names = names_of(side);
  const auto near = results::nearest(name, names);
  throw Error({.code = "variant.unknown",
               .field = option,
               .value = results::one_line(name, 100),
               .problem = "no such variant in " + side.name,
               .allowed = results::joined(names),
               .help = near ? "did you mean " + option + " " + *near + "?" : ""});
}

void demand_complete(const StoreSide& side, const std::string& variant) {
  const auto open = std::ranges::count_if(side.trials, [&](const PlannedTrial& trial) {
    return trial.entry.variant == variant && trial.state != TrialState::done && trial.state != TrialState::failed;
  });
  if (open == 0) return;
  throw Error({.exit = Exit::incomparable,
               .code = "compare.missing_trials",
               .where = side.name,
               .problem = counted(open, "trial") + " of " + variant + (open == 1 ? " has" : " have") + " not run yet",
               .help = "repeat its retrial run command; it runs only what is missing (retrial status " +
                       shell_word(side.name) + ")"});
}

void demand_live_seed(const StoreSide& side, const std::string& variant, const results::MetricDef& metric) {
  const auto finding = seed_finding(side.store, side.study, side.trials, variant, metric);
  if (finding && finding->effect == SeedEffect::none && !allows_constant(side.store, side.study.digest))
    refuse_dead_seeds(side.name, seed_sentence(*finding));
}

/// A test of two stores has no declared retries of its own: each side may have those of its design.
void demand_unretried(const VariantMatch& variant, const StoreSide& baseline, const StoreSide& candidate) {
  for (const auto* side : {&baseline, &candidate}) {
    Comparison runs;
    runs.design.baseline = variant.baseline + " of " + baseline.name;
    runs.design.candidate = variant.candidate + " of " + candidate.name;
    runs.design.retries = side->study.design ? side->study.design->retries : 0;
    const bool of_candidate = side == &candidate;
    for (const PlannedTrial& trial : side->trials)
      if (trial.entry.variant == (of_candidate ? variant.candidate : variant.baseline))
        count_retries(trial, of_candidate, runs);
    find_retries(runs);
    if (!runs.violation) continue;
    throw Error({.exit = Exit::incomparable,
                 .code = "compare.invalid",
                 .where = side->name,
                 .problem = "INVALID (" + std::string(name_of(*runs.violation)) + "): " + runs.violation_detail,
                 .help = "run the study again in another store; retrial show " + shell_word(side->name) +
                         " shows why trials failed"});
  }
}

using FinalScores = std::map<std::int64_t, double>;

std::vector<SideRun> runs_of(const StoreSide& side, const std::string& variant, const results::MetricDef& metric) {
  const auto stored = side.store.final_values(metric.name);
  const FinalScores values(stored.begin(), stored.end());
  const TrialBounds bounds = stored_bounds(side.store, metric.name);
  const auto scale = scale_of(side.study, variant, metric.name);
  std::vector<SideRun> out;
  for (std::size_t i = 0; i < side.trials.size(); ++i) {
    const PlannedTrial& trial = side.trials[i];
    if (trial.entry.variant != variant) continue;
    auto score = score_to_compare(side.store, trial, metric.name, values);
    if (score) score = workloads::judged_score(scale, *score);
    out.push_back({.trial = &trial,
                   .body = &side.bodies[i],
                   .result_identity = side.result_identities[i],
                   .score = score && std::isfinite(*score) ? score : std::nullopt,
                   .bound = bound_of_trial(trial, bounds)});
  }
  return out;
}

/// Scores on different images do not compare anything.
void demand_same_images(const VariantMatch& variant, const StoreSide& baseline, const SideRun& before,
                        const StoreSide& candidate, const SideRun& after) {
  const auto entry = [](const StoreSide& side, const std::string& name, const SideRun& run) {
    results::PlanEntry out = run.trial->entry;
    out.variant = name + " of " + side.name;
    out.trial_body = run.body->document().dump();
    return out;
  };
  const std::vector<results::PlanEntry> both{entry(baseline, variant.baseline, before),
                                             entry(candidate, variant.candidate, after)};
  demand_same_data(both, both[0].variant, both[1].variant);
}

using BySeeds = std::map<std::string, const SideRun*>;

std::string seeds_of(const SideRun& run) {
  return run.body->seeds().dump();
}

BySeeds by_seeds(const std::vector<SideRun>& runs) {
  BySeeds out;
  for (const SideRun& run : runs) out.emplace(seeds_of(run), &run);
  return out;
}

/// Where seeds repeat within a side, they do not say which run belongs to which: no pairs.
void pair_by_seeds(MatchedRuns& runs) {
  const BySeeds before = by_seeds(runs.baseline), after = by_seeds(runs.candidate);
  if (before.size() != runs.baseline.size() || after.size() != runs.candidate.size()) return;
  std::vector<SideRun> first, second, first_alone, second_alone;
  for (const SideRun& run : runs.baseline) {
    const auto partner = after.find(seeds_of(run));
    (partner == after.end() ? first_alone : first).push_back(run);
    if (partner != after.end()) second.push_back(*partner->second);
  }
  for (const SideRun& run : runs.candidate)
    if (!before.contains(seeds_of(run))) second_alone.push_back(run);
  runs.pairs = first.size();
  std::ranges::move(first_alone, std::back_inserter(first));
  std::ranges::move(second_alone, std::back_inserter(second));
  runs.baseline = std::move(first);
  runs.candidate = std::move(second);
}

/// Pairs that bounds leave open get equal scores.
void decide_bounds(MatchedRuns& runs) {
  variance::PairedScores scores;
  for (std::size_t i = 0; i < runs.pairs; ++i) {
    scores.baseline.push_back(runs.baseline[i].score);
    scores.candidate.push_back(runs.candidate[i].score);
    scores.baseline_bounds.push_back(runs.baseline[i].bound);
    scores.candidate_bounds.push_back(runs.candidate[i].bound);
  }
  const auto decided = variance::decided_scores(scores);
  for (std::size_t i = 0; i < runs.pairs; ++i) {
    runs.baseline[i].score = decided.baseline[i];
    runs.candidate[i].score = decided.candidate[i];
  }
}

}  // namespace

std::vector<VariantMatch> matched_variants(const Arguments& arguments, const StoreSide& baseline,
                                           const StoreSide& candidate) {
  const auto before = arguments.value("baseline"), after = arguments.value("candidate");
  if (before || after) {
    refuse_options(arguments, {"variant"}, {.problem = "contradicts --baseline and --candidate"});
    const std::string first = before.value_or(after.value_or("")), second = after.value_or(first);
    demand_variant(baseline, "--baseline", first);
    demand_variant(candidate, "--candidate", second);
    return {{.baseline = first, .candidate = second}};
  }
  std::vector<VariantMatch> out;
  for (const auto& name : arguments.values("variant")) {
    demand_variant(baseline, "--variant", name);
    demand_variant(candidate, "--variant", name);
    out.push_back({name, name});
  }
  if (!out.empty()) return out;
  for (const auto& name : names_of(baseline))
    if (has_variant(candidate, name)) out.push_back({name, name});
  if (!out.empty()) return out;
  throw Error({.code = "across.variants",
               .where = candidate.name,
               .problem = "has no variant of the same name as " + baseline.name,
               .allowed = results::joined(names_of(baseline)) + " of " + baseline.name + " with " +
                          results::joined(names_of(candidate)) + " of " + candidate.name,
               .help = "name one of each: --baseline " + names_of(baseline).front() + " --candidate " +
                       names_of(candidate).front()});
}

std::vector<std::string> unmatched_variants(const StoreSide& side, const StoreSide& other) {
  auto out = names_of(side);
  std::erase_if(out, [&](const std::string& name) { return has_variant(other, name); });
  return out;
}

bool equal_in_every_pair(const MatchedRuns& runs) {
  std::vector<double> first, second;
  for (std::size_t i = 0; i < runs.pairs; ++i) {
    if (!runs.baseline[i].score || !runs.candidate[i].score) return false;
    first.push_back(*runs.baseline[i].score);
    second.push_back(*runs.candidate[i].score);
  }
  const double tolerance = variance::tie_tolerance(std::nullopt, first, second);
  return runs.pairs > 0 &&
         std::ranges::equal(first, second, [&](double a, double b) { return std::fabs(a - b) <= tolerance; });
}

MatchedRuns matched_runs(const VariantMatch& variant, const StoreSide& baseline, const StoreSide& candidate,
                         const results::MetricDef& metric) {
  demand_live_seed(baseline, variant.baseline, metric);
  demand_live_seed(candidate, variant.candidate, metric);
  demand_complete(baseline, variant.baseline);
  demand_complete(candidate, variant.candidate);
  demand_unretried(variant, baseline, candidate);
  MatchedRuns out{.variant = variant,
                  .baseline = runs_of(baseline, variant.baseline, metric),
                  .candidate = runs_of(candidate, variant.candidate, metric)};
  demand_same_images(variant, baseline, out.baseline.front(), candidate, out.candidate.front());
  pair_by_seeds(out);
  decide_bounds(out);
  return out;
}

}  // namespace retrial::harness::inline across
