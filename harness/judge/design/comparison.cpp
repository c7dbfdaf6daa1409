#include "harness/judge/design/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "harness/judge/design/design_violation.hpp"
#include "harness/judge/design/scale.hpp"
#include "harness/judge/design/side_by_side.hpp"
#include "harness/judge/design/study_looks.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/stored/likeness/emulated_trials.hpp"
#include "harness/stored/likeness/folded_seed.hpp"
#include "harness/stored/likeness/module_versions.hpp"
#include "harness/stored/likeness/same_data.hpp"
#include "harness/stored/likeness/seed_effect.hpp"
#include "harness/stored/metric_summary.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/random/rng.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline judge::inline design {
namespace {

std::vector<std::string> variant_names(const StudyView& study) {
  std::vector<std::string> out;
  for (const auto& variant : judged_variants(study)) out.push_back(variant.name);
  return out;
}

void check_variant(const StudyView& study, const std::string& option, const std::string& name) {
  const auto names = variant_names(study);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const auto near = results::nearest(name, names);
  throw Error({.code = "variant.unknown",
               .field = option,
               .value = results::one_line(name, 100),
               .problem = "no such variant in this study",
               .allowed = results::joined(names),
               .help = near ? "did you mean " + option + " " + *near + "?" : ""});
}

/// Pairs that share one search are one cluster, which supports no claim about the pipeline. Pairs with their own
/// searches support no claim about one choice of keys.
void apply_scope(const StudyView& study, const ComparisonChoice& choice, Comparison& out) {
  if (!choice.scope || *choice.scope == scope_of(study)) return;
  if (*choice.scope == "lambda")
    throw Error({.exit = Exit::incomparable,
                 .code = "compare.scope",
                 .where = "study " + study.name,
                 .field = "--scope",
                 .value = "lambda",
                 .problem = "asks about one choice of keys, but every pair has its own search",
                 .allowed = "pipeline"});
  out.violation = variance::InvalidReason::one_cluster;
  out.violation_detail = study.search ? "the search is drawn once for all pairs: hopt is held"
                                      : "no search belongs to the study: its keys are one choice";
}

struct Sides {
  std::string baseline, candidate;
};

/// The named ones, else the declared ones, else the study's first variants.
Sides sides_of(const StudyView& study, const ComparisonChoice& choice) {
  if (study.variance && study.variance->design != "ideal")
    throw Error({.exit = Exit::incomparable,
                 .code = "compare.variance_study",
                 .where = "study " + study.name,
                 .problem = "is a study of variance: its runs share seeds by design " + study.variance->design +
                            ", so they are not independent pairs",
                 .help = "retrial variance prints the share of each source and the claims that the variants support"});
  if (study.profile)
    throw Error({.exit = Exit::incomparable,
                 .code = "compare.profile_study",
                 .where = "study " + study.name,
                 .problem = "is a profile study: its runs were made to see where time goes",
                 .help = "claims that it registers are judged by --claims; scores need a study without [profile]"});
  if (variant_names(study).size() < 2)
    throw Error({.exit = Exit::incomparable,
                 .code = "compare.one_variant",
                 .where = "study " + study.name,
                 .problem = "has only one variant, so there is nothing to compare",
                 .help = "retrial show prints its numbers"});
  if (choice.baseline) check_variant(study, "--baseline", *choice.baseline);
  if (choice.candidate) check_variant(study, "--candidate", *choice.candidate);
  const auto names = variant_names(study);
  const auto other_than = [&](const std::string& name) {
    return *std::find_if(names.begin(), names.end(), [&](const auto& n) { return n != name; });
  };
  Sides out{choice.baseline.value_or(""), choice.candidate.value_or("")};
  if (out.baseline.empty()) {
    const std::string declared = study.baseline.value_or(names.front());
    out.baseline = declared == out.candidate ? other_than(out.candidate) : declared;
  }
  if (out.candidate.empty()) {
    const std::string declared = study.candidate.value_or("");
    out.candidate = declared.empty() || declared == out.baseline ? other_than(out.baseline) : declared;
  }
  if (out.baseline == out.candidate)
    throw Error({.code = "compare.same_variant",
                 .field = "--candidate",
                 .value = out.candidate,
                 .problem = "is also the baseline",
                 .allowed = results::joined(names)});
  return out;
}

bool takes_part(const PlannedTrial& trial, const variance::Design& design) {
  return trial.entry.variant == design.baseline || trial.entry.variant == design.candidate;
}

/// Where no trial of the comparison has a result, the store may not know the declared metric.
void demand_scores(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials,
                   const variance::Design& design) {
  const auto defs = store.metric_defs();
  if (!study.metric || std::ranges::find(defs, *study.metric, &results::MetricDef::name) != defs.end()) return;
  std::int64_t failed = 0;
  for (const auto& trial : trials) {
    if (!takes_part(trial, design)) continue;
    if (trial.state == TrialState::done) return;
    failed += trial.state == TrialState::failed ? 1 : 0;
  }
  const std::string db = shell_word(store.path().string());
  if (failed == 0)
    throw Error({.exit = Exit::incomparable,
                 .code = "compare.missing_trials",
                 .where = store.path().string(),
                 .problem = "no trial of the plan has run yet",
                 .help = "repeat the same retrial run command; it runs what is missing (retrial status " + db + ")"});
  throw Error(
      {.exit = Exit::measurement,
       .code = "compare.all_failed",
       .where = store.path().string(),
       .problem = "every trial failed (" + std::to_string(failed) + "), so there is nothing to compare",
       .help = "retrial show " + db + " shows why; the same retrial run line with --retry-failed tries them again"});
}

void apply_declared(const StudyView& study, Comparison& out) {
  if (!study.design) {
    out.undeclared.push_back("no design was declared before the first run; these are the default levels");
    return;
  }
  const DesignView& declared = *study.design;
  out.design_digest = declared.digest;
  auto design = static_cast<const variance::Design&>(declared);
  design.candidate = out.design.candidate;
  design.baseline = out.design.baseline;
  design.metric = out.design.metric;
  // A margin is in the unit of the metric it was declared for.
  if (design.metric != declared.metric) design.margin.reset();
  out.design = std::move(design);
  const auto root = results::parse_hex16(study.seed);
  if (root) out.design.key = variance::derive(*root, "comparison:" + out.design.candidate + "|" + out.design.baseline);
  if (out.design.metric != declared.metric)
    out.undeclared.push_back("metric " + out.design.metric + " was chosen after the runs; declared was " +
                             declared.metric);
  if (out.design.candidate != declared.candidate || out.design.baseline != declared.baseline)
    out.undeclared.push_back("the two sides were chosen after the runs; declared was " + declared.candidate +
                             " against " + declared.baseline);
}

bool has_run(const PlannedTrial& trial) {
  return trial.state == TrialState::done || trial.state == TrialState::failed;
}

void check_complete(const results::Store& store, const std::vector<PlannedTrial>& trials,
                    const variance::Design& design) {
  std::vector<std::string> open;
  for (const auto& trial : trials)
    if (takes_part(trial, design) && !has_run(trial)) open.push_back(trial_name(trial.entry));
  if (open.empty()) return;
  throw Error({.exit = Exit::incomparable,
               .code = "compare.missing_trials",
               .where = store.path().string(),
               .problem = counted(static_cast<std::int64_t>(open.size()), "trial") + " of the plan " +
                          (open.size() == 1 ? "has" : "have") + " not run yet, the first is " + open.front(),
               .help = "repeat the same retrial run command; it runs only what is missing (retrial status " +
                       shell_word(store.path().string()) + ")"});
}

}  // namespace

std::optional<double> score_to_compare(const results::Store& store, const PlannedTrial& trial,
                                       const std::string& metric, const std::map<std::int64_t, double>& values) {
  if (trial.state == TrialState::failed) return {};
  if (const auto found = values.find(trial.row->id); found != values.end()) return found->second;
  if (trial.row->status == results::Status::diverged) return std::numeric_limits<double>::quiet_NaN();
  throw Error({.exit = Exit::incomparable,
               .code = "compare.no_value",
               .where = store.path().string(),
               .field = "--metric",
               .value = metric,
               .problem = "trial " + trial_name(trial.entry) + " has no final value of it"});
}

namespace {

void read_scores(const results::Store& store, const std::vector<PlannedTrial>& trials, Comparison& out) {
  std::map<std::int64_t, std::map<std::string, const PlannedTrial*>> pairs;
  for (const auto& trial : trials)
    if (takes_part(trial, out.design)) pairs[trial.entry.pair_index].emplace(trial.entry.variant, &trial);
  const auto stored = store.final_values(out.design.metric);
  const std::map<std::int64_t, double> values(stored.begin(), stored.end());
  const TrialBounds bounds = stored_bounds(store, out.design.metric);
  std::pair<double, double> moved{};  // the score furthest from its step of the grid
  out.records = Json::array();
  for (const auto& [index, sides] : pairs) {
    if (sides.size() < 2) continue;
    if (!has_run(*sides.at(out.design.baseline)) || !has_run(*sides.at(out.design.candidate))) break;
    for (const std::string& variant : {out.design.baseline, out.design.candidate}) {
      const PlannedTrial& trial = *sides.at(variant);
      const bool candidate = variant == out.design.candidate;
      auto& scores = candidate ? out.scores.candidate : out.scores.baseline;
      count_retries(trial, candidate, out);
      const auto& scale = candidate ? out.candidate_scale : out.baseline_scale;
      const auto score = score_to_compare(store, trial, out.design.metric, values);
      scores.push_back(score ? std::optional(workloads::judged_score(scale, *score)) : score);
      if (score && std::fabs(*score - *scores.back()) > std::fabs(moved.first - moved.second))
        moved = {*score, *scores.back()};
      if (!bounds.empty())
        (candidate ? out.scores.candidate_bounds : out.scores.baseline_bounds).push_back(bound_of_trial(trial, bounds));
      out.records.push_back({index, variant, trial.row ? Json(results::hex(trial.row->record)) : Json()});
      out.outcomes.push_back({.identity = trial.entry.identity,
                              .replicate = trial.entry.replicate,
                              .payload = trial.state == TrialState::done ? trial.row->payload : results::Digest{}});
    }
  }
  if (moved.first != moved.second)
    out.remarks.push_back("each score of " + out.design.metric + " is judged as the nearest step of its grid (" +
                          short_text(moved.first) + " as " + short_text(moved.second) +
                          "): a difference within a step is a tie");
}

std::optional<results::MetricDef> metric_if_known(const results::Store& store, const StudyView& study,
                                                  const ComparisonChoice& choice) {
  const auto name = choice.metric ? choice.metric : study.metric;
  for (const auto& def : store.metric_defs()) {
    const bool first = def.nature == results::Nature::outcome && def.axis == results::Axis::none &&
                       def.direction != results::Direction::none;
    if (name ? def.name == *name : first) return def;
  }
  return {};
}

/// A variant without a seed is one number. Where its runs differ all the same, the program draws without a seed.
void remark_on_constant(const results::Store& store, const std::vector<PlannedTrial>& trials,
                        const std::string& variant, const std::string& metric, Comparison& out) {
  const auto stored = store.final_values(metric);
  const std::map<std::int64_t, double> values(stored.begin(), stored.end());
  std::set<double> different;
  for (const auto& trial : trials)
    if (trial.entry.variant == variant && trial.state == TrialState::done && values.contains(trial.row->id))
      different.insert(values.at(trial.row->id));
  out.remarks.push_back(variant + " is constant by declaration: it has no seed" +
                        (different.size() > 1 ? ", and yet its runs gave " + std::to_string(different.size()) +
                                                    " different values of " + metric + ": it draws without one"
                                              : ""));
}

/// Sets the violation `dead-source`, or remarks on scores that say little about their seeds.
void find_dead_sources(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials,
                       const ComparisonChoice& choice, Comparison& out) {
  const auto metric = metric_if_known(store, study, choice);
  const auto* declaration = workloads::workload_if_known(study.workload);
  if (!metric || declaration == nullptr || !declaration->printed) return;
  std::vector<std::string> dead;
  for (const auto& side : {out.design.baseline, out.design.candidate}) {
    const auto view = std::ranges::find(study.variants, side, &VariantView::name);
    if (constant_by_declaration(study.workload, values_of(*declaration, *view)))
      remark_on_constant(store, trials, side, metric->name, out);
    const auto finding = seed_finding(store, study, trials, side, *metric);
    if (!finding) continue;
    if (finding->effect == SeedEffect::none && !allows_constant(store, study.digest))
      dead.push_back(seed_sentence(*finding));
    else if (const auto text = seed_sentence(*finding); !text.empty())
      out.remarks.push_back(text);
  }
  for (auto& text : repeated_numbers(store, study, trials, *metric)) out.remarks.push_back(std::move(text));
  if (auto text = folded_seed_remark(store, study, trials, out.design.baseline, out.design.candidate, *metric);
      !text.empty())
    out.remarks.push_back(std::move(text));
  if (dead.empty()) return;
  out.violation = variance::InvalidReason::dead_source;
  out.violation_detail = results::joined(dead, "; ");
}

/// Sets the violation `program-changed` where the trials of a side imported different bytes of one module.
void find_edited_programs(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials,
                          Comparison& out) {
  const auto* declaration = workloads::workload_if_known(study.workload);
  if (out.violation || declaration == nullptr || !declaration->program_files) return;
  auto modules = stored_modules(store, study.digest, trials);
  std::erase_if(modules,
                [&](const auto& of) { return of.first != out.design.baseline && of.first != out.design.candidate; });
  const auto edited = edited_modules(modules);
  if (edited.empty()) return;
  out.violation = variance::InvalidReason::program_changed;
  out.violation_detail = results::joined(edited, "; ");
}

}  // namespace

std::string scope_of(const StudyView& study) {
  const bool drawn = std::find(study.vary.begin(), study.vary.end(), search_source) != study.vary.end();
  return study.search && drawn ? "pipeline" : "lambda";
}

Comparison read_comparison(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials,
                           const ComparisonChoice& choice) {
  Comparison out;
  const Sides sides = sides_of(study, choice);
  out.design.baseline = sides.baseline;
  out.design.candidate = sides.candidate;
  demand_same_data(store, study, sides.baseline, sides.candidate);
  demand_one_kind_of_cpu(cpu_kinds(store, study.digest, trials), store.path().string());
  out.design.pairs = study.pairs;
  find_dead_sources(store, study, trials, choice, out);
  find_edited_programs(store, study, trials, out);
  if (!out.violation && (!study.design || !study.design->sequential())) check_complete(store, trials, out.design);
  if (!choice.metric) demand_scores(store, study, trials, out.design);
  out.metric = metric_to_compare(store, study, choice, out.undeclared);
  out.design.metric = out.metric.name;
  apply_declared(study, out);
  set_scale(study, out);
  read_scores(store, trials, out);
  out.side_by_side = side_by_side(store, trials, {out.design.baseline, out.design.candidate}, out.metric);
  if (!out.side_by_side.empty()) out.remarks.push_back(out.side_by_side);
  find_violation(study, out);
  if (!out.violation) apply_scope(study, choice, out);
  find_looks(store, study, out);
  return out;
}

results::Digest digest_of_records(const Json& records) {
  return results::digest_of({{"schema", "retrial.inputs/1"}, {"records", records}});
}

variance::TestSettings declared_settings(const Comparison& comparison) {
  const auto& design = comparison.design;
  return {.direction = comparison.scores.direction,
          .alpha = design.alpha,
          .beta = design.beta,
          .gamma = design.gamma,
          .sides = design.sides,
          .tie_limit = design.tie_limit,
          .resolution = comparison.scores.resolution,
          .margin = design.margin,
          .overlap = comparison.overlap};
}

Comparison declared_comparison(const StudyView& study, const results::MetricDef& metric) {
  Comparison out;
  out.design.baseline = study.design->baseline;
  out.design.candidate = study.design->candidate;
  out.design.metric = metric.name;
  out.metric = metric;
  apply_declared(study, out);
  set_scale(study, out);
  return out;
}

variance::Verdict verdict_of(const Comparison& comparison) {
  auto verdict = variance::judge(comparison.scores, comparison.design);
  verdict.looks = comparison.sequence.place();
  verdict.looks_rate = comparison.sequence.rate;
  verdict.warnings.insert(verdict.warnings.end(), comparison.remarks.begin(), comparison.remarks.end());
  if (!comparison.violation) return verdict;
  verdict.status = variance::Status::invalid;
  verdict.reason = comparison.violation;
  verdict.detail = comparison.violation_detail;
  return verdict;
}

}  // namespace retrial::harness::inline judge::inline design
