#include "harness/judge/claims/judged_claims.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/judge/claims/claim_scores.hpp"
#include "harness/judge/design/comparison.hpp"
#include "harness/judge/design/design_violation.hpp"
#include "harness/judge/design/scale.hpp"
#include "harness/judge/design/side_by_side.hpp"
#include "harness/judge/design/study_looks.hpp"
#include "harness/judge/design/twins.hpp"
#include "harness/judge/looks/earlier.hpp"
#include "harness/stored/likeness/emulated_trials.hpp"
#include "harness/stored/likeness/module_versions.hpp"
#include "harness/stored/likeness/same_data.hpp"
#include "harness/stored/likeness/seed_effect.hpp"
#include "harness/stored/progress.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "variance/designs/power.hpp"
#include "variance/many/claim_evidence.hpp"
#include "variance/means/paired.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline judge::inline claims {
namespace {

using variance::Direction;

void demand_all_trials(const results::Store& store, const std::vector<PlannedTrial>& trials) {
  const auto open = total_progress(trials).open();
  if (open == 0) return;
  throw Error({.exit = Exit::incomparable,
               .code = "compare.missing_trials",
               .where = store.path().string(),
               .problem = counted(open, "trial") + " of the plan " + (open == 1 ? "has" : "have") + " not run yet",
               .help = "repeat the same retrial run command; it runs only what is missing (retrial status " +
                       shell_word(store.path().string()) + ")"});
}

using Bound = variance::ClaimBound;

Bound bound_of(const RegisteredClaim& claim) {
  switch (claim.expect) {
    case Expect::lower:
      return {Direction::lower, -claim.margin};
    case Expect::not_higher:
      return {Direction::lower, claim.margin};
    case Expect::not_lower:
      return {Direction::higher, -claim.margin};
    default:
      return {Direction::higher, claim.margin};
  }
}

std::vector<double> differences_of(const ClaimScores& scores) {
  std::vector<double> out;
  for (std::size_t i = 0; i < scores.candidate.size(); ++i) out.push_back(scores.candidate[i] - scores.baseline[i]);
  return out;
}

variance::ClaimEvidence evidence_of(const RegisteredClaim& claim, const ClaimScores& scores, std::uint64_t root,
                                    double alpha) {
  if (claim.expect == Expect::equal)
    return variance::claim_of_equality(scores.candidate, scores.baseline, claim.margin, alpha,
                                       claim.overlap.value_or(0));
  if (claim.test == share_test) return variance::claim_of_share(scores.candidate, bound_of(claim).side, *claim.value);
  return variance::claim_of_side(scores.candidate, scores.baseline, bound_of(claim), claim.test, alpha,
                                 variance::derive(root, "comparison:claim/" + claim.name), claim.overlap);
}

JudgedClaim tested(const RegisteredClaim& claim, const ClaimScores& scores, std::uint64_t root, double alpha) {
  JudgedClaim out{.claim = claim, .reason = "", .left_out = scores.left_out};
  out.pairs = static_cast<std::int64_t>(scores.candidate.size());
  out.bounds = bounded_scores_text(scores);
  if (scores.refused || out.pairs < 2) {
    out.outcome = scores.refused ? ClaimOutcome::invalid : ClaimOutcome::no_verdict;
    out.reason =
        scores.refused ? "missing: " + scores.problem : counted(out.pairs, "pair") + ": no interval, no verdict";
    return out;
  }
  const bool equal = claim.expect == Expect::equal;
  const auto t = variance::paired_t(differences_of(scores),
                                    {.alpha = equal ? 2 * alpha : alpha, .overlap = claim.overlap.value_or(0)});
  out.difference = t->mean;
  if (t->degenerate) out.difference->low = out.difference->high = std::nullopt;
  const auto evidence = evidence_of(claim, scores, root, alpha);
  out.p_for = evidence.p_for;
  out.p_against = evidence.p_against;
  if (evidence.constant) out.reason = "all differences are identical: no t test";
  if (!evidence.invalid) return out;
  out.outcome = ClaimOutcome::invalid;
  out.reason = evidence.reason ? std::string(name_of(*evidence.reason)) : "no p";
  return out;
}

void adjust(std::vector<JudgedClaim>& claims, std::optional<double> JudgedClaim::*p,
            std::optional<double> JudgedClaim::*adjusted) {
  std::vector<std::optional<double>> family;
  for (const auto& claim : claims) family.push_back(claim.*p);
  const auto corrected = variance::holm_over(family);
  for (std::size_t i = 0; i < claims.size(); ++i) claims[i].*adjusted = corrected[i];
}

/// Distance of the observed mean from the bound on the claimed side, in the unit of the metric.
double distance_shown(const JudgedClaim& judged) {
  const double mean = judged.difference->point;
  if (judged.claim.expect == Expect::equal) return judged.claim.margin - std::fabs(mean);
  const Bound bound = bound_of(judged.claim);
  return bound.side == Direction::lower ? bound.at - mean : mean - bound.at;
}

void plan_pairs(double sd, double level, JudgedClaim& judged) {
  if (!judged.reason.empty() || !(sd > 0)) return;
  const double shown = distance_shown(judged);
  if (!(shown > 0)) {
    judged.reason = tolerates(judged.claim.expect) ? "the observed mean is beyond the margin"
                                                   : "the observed mean is not on the claimed side";
    return;
  }
  try {
    const auto pairs = variance::t_runs(
        shown / sd, {.alpha = level, .beta = 1 - claim_power, .overlap = judged.claim.overlap.value_or(0)});
    judged.pairs_needed = std::max({pairs, min_pairs_for(judged.claim, level), judged.pairs + 1});
  } catch (const InvalidInput&) {
    judged.reason = judged.claim.overlap
                        ? "no number of divisions of these rows would show the observed mean: more data"
                        : "more than a million pairs would be needed at the observed mean";
  }
}

void decide(const std::vector<double>& differences, const RegisteredClaims& family, JudgedClaim& judged) {
  if (judged.outcome != ClaimOutcome::inconclusive) return;
  if (judged.adjusted_for && *judged.adjusted_for <= family.alpha) judged.outcome = ClaimOutcome::holds;
  if (judged.adjusted_against && *judged.adjusted_against <= family.alpha) judged.outcome = ClaimOutcome::refuted;
  if (judged.outcome == ClaimOutcome::inconclusive)
    plan_pairs(variance::sd(differences).value_or(0), family.alpha / static_cast<double>(family.claims.size()), judged);
}

/// Reason that no claim can be judged: the claims or the pairs were not declared before these trials.
std::string violation_of(const results::Store& store, const StudyView& study) {
  if (claims_came_later(store, study))
    return "design-mismatch: an earlier study of this store planned the same trials and declared other claims";
  Comparison comparison;
  find_violation(study, comparison);
  return comparison.violation ? std::string(name_of(*comparison.violation)) + ": " + comparison.violation_detail : "";
}

/// Sets the looks, and what was before them; returns why no claim can be judged, or an empty text.
std::string find_claim_looks(const results::Store& store, const StudyView& study, JudgedClaims& out) {
  const auto rows = store.studies();
  const auto row = std::ranges::find(rows, study.digest, &results::StudyRow::digest);
  const auto defs = store.metric_defs();
  const auto known = known_looks(store);
  std::optional<Sequence> longest;
  std::optional<SpoiledBy> spoiled;
  std::vector<std::string> shared;  // claims about the question of the design
  for (const auto& claim : study.claims.claims) {
    const Question asked = question_of(claim, defs);
    out.looks.push_back({.question = digest_of(asked, store, study),
                         .study = study.digest,
                         .draw = draw_of(row->document),
                         .rule = results::digest_of(document_of(study.claims)),
                         .inputs = digest_of_records(out.records),
                         .rate = study.claims.alpha,
                         .declared = true,
                         .pairs = study.pairs,
                         .by = "the registered claims of study " + study.name});
    if (asked.contrast.empty() && asked.cells.empty())
      out.looks.back().twins = twins_of(store, study, asked, out.looks.back().question, known);
    if (!spoiled) spoiled = spoiled_by(known, out.looks.back());
    if (study.design && shared.empty() &&
        digest_of(question_of(*study.design), store, study) == out.looks.back().question)
      shared = claims_about(out.looks.back().question, store, study);
    const auto sequence = sequence_of(known, out.looks.back());
    if (!longest || sequence.rate > longest->rate) longest = sequence;
  }
  if (longest && !longest->before.empty()) out.undeclared.push_back(sequence_text(*longest));
  if (!shared.empty()) out.shared = shared_text(study, shared);
  if (!spoiled) return "";
  return std::string(name_of(spoiled->reason)) + ": these trials were looked at by " + spoiled->look.by +
         " before these claims were declared";
}

/// "dead-source: ..." if the seed of a side changes nothing; else empty.
std::string dead_side(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials,
                      const RegisteredClaim& claim) {
  if (allows_constant(store, study.digest)) return "";
  const auto defs = store.metric_defs();
  const auto def = std::ranges::find(defs, claim.metric.front().metric, &results::MetricDef::name);
  if (def == defs.end()) return "";
  for (const auto& side : claim.variants()) {
    const auto finding = seed_finding(store, study, trials, side, *def);
    if (finding && finding->effect == SeedEffect::none)
      return std::string(name_of(variance::InvalidReason::dead_source)) + ": " + seed_sentence(*finding);
  }
  return "";
}

/// The remark on the first of its metrics that has one.
std::string beside(const results::Store& store, const std::vector<PlannedTrial>& trials, const RegisteredClaim& claim) {
  const auto defs = store.metric_defs();
  for (const auto* readings : {&claim.metric, &claim.against})
    for (const auto& reading : *readings) {
      const auto def = std::ranges::find(defs, reading.metric, &results::MetricDef::name);
      if (def == defs.end()) continue;
      if (auto remark = side_by_side(store, trials, claim.variants(), *def); !remark.empty()) return remark;
    }
  return "";
}

/// "program-changed: ..." if a variant imported different bytes of one module; else empty.
std::string edited_programs(const results::Store& store, const StudyView& study,
                            const std::vector<PlannedTrial>& trials) {
  const auto* declaration = workloads::workload_if_known(study.workload);
  if (declaration == nullptr || !declaration->program_files) return "";
  const auto edited = edited_modules(stored_modules(store, study.digest, trials));
  if (edited.empty()) return "";
  return std::string(name_of(variance::InvalidReason::program_changed)) + ": " + results::joined(edited, "; ");
}

/// Retries on the two sides of a claim; one about a number, or about one variant, may have only one side.
Comparison::Retries retries_of(const RegisteredClaim& claim, const StudyView& study,
                               const std::vector<PlannedTrial>& trials, Comparison& out) {
  out.design.candidate = claim.side(true);
  out.design.baseline = claim.side(false);
  if (out.design.baseline.empty()) out.design.baseline = out.design.candidate;
  out.design.retries = study.design ? study.design->retries : 0;
  const auto variants = claim.variants();
  for (const auto& trial : trials)
    if (std::ranges::find(variants, trial.entry.variant) != variants.end())
      count_retries(trial, claim.raised_by(trial.entry.variant), out);
  return out.retries;
}

/// Reason that pairs left out by a failure void a settled claim: the side it favors fails more often, so that its
/// worst runs may be the ones that are missing. Empty where they do not.
std::string why_missing(const JudgedClaim& judged, const ClaimScores& scores, results::Direction direction,
                        double alpha) {
  const bool settled = judged.outcome == ClaimOutcome::holds || judged.outcome == ClaimOutcome::refuted;
  const std::int64_t uneven = scores.only_candidate + scores.only_baseline;
  if (!settled || uneven == 0) return "";
  const bool both = tolerates(judged.claim.expect) || direction == results::Direction::none;
  const bool candidate_ahead = (judged.difference->point > 0) == (direction == results::Direction::higher);
  const auto fails_more = [&](std::int64_t failed) {
    return variance::binomial_at_least(failed, uneven, 0.5) <= alpha;
  };
  const bool candidate = fails_more(scores.only_candidate) && (both || candidate_ahead),
             baseline = fails_more(scores.only_baseline) && (both || !candidate_ahead);
  if (!candidate && !baseline) return "";
  return std::string(name_of(variance::InvalidReason::missing)) + ": " + judged.claim.side(candidate) +
         " alone failed in " + counted(candidate ? scores.only_candidate : scores.only_baseline, "pair") +
         ", the other in " + std::to_string(candidate ? scores.only_baseline : scores.only_candidate) +
         ": the pairs that are left out may be its worst runs, which says nothing for it";
}

/// Failures and retries that the declared policies do not allow.
void void_by_failures(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials,
                      const std::vector<ClaimScores>& scores, JudgedClaims& out) {
  const auto defs = store.metric_defs();
  for (std::size_t i = 0; i < out.claims.size(); ++i) {
    auto& judged = out.claims[i];
    const auto def = std::ranges::find(defs, judged.claim.metric.front().metric, &results::MetricDef::name);
    auto reason =
        why_missing(judged, scores[i], def == defs.end() ? results::Direction::none : def->direction, out.family.alpha);
    Comparison sides;
    judged.retries = retries_of(judged.claim, study, trials, sides);
    find_retries(sides);
    if (sides.violation) reason = std::string(name_of(*sides.violation)) + ": " + sides.violation_detail;
    if (!reason.empty()) judged.outcome = ClaimOutcome::invalid, judged.reason = reason;
  }
}

/// Every set of a share may have data of its own.
void demand_same_data_of(const results::Store& store, const StudyView& study, const RegisteredClaim& claim) {
  for (const auto& cell : claim.cells) demand_same_data(store, study, cell.baseline, cell.candidate);
  if (!claim.cells.empty()) return;
  const auto variants = claim.variants();
  for (const auto& candidate : variants)
    if (candidate != variants.back()) demand_same_data(store, study, variants.back(), candidate);
}

Json records_of(const std::vector<PlannedTrial>& trials) {
  Json out = Json::array();
  for (const auto& trial : trials)
    out.push_back(
        {trial.entry.variant, trial.entry.pair_index, trial.row ? Json(results::hex(trial.row->record)) : Json()});
  return out;
}

int severity(Exit exit) {
  return exit == Exit::ok ? 0 : exit == Exit::inconclusive ? 1 : exit == Exit::different ? 3 : 2;
}

Exit exit_of(const JudgedClaim& claim) {
  switch (claim.outcome) {
    case ClaimOutcome::holds:
      return Exit::ok;
    case ClaimOutcome::refuted:
      return Exit::different;
    case ClaimOutcome::invalid:
      return claim.reason.starts_with("missing") ? Exit::measurement : Exit::incomparable;
    case ClaimOutcome::inconclusive:
    case ClaimOutcome::no_verdict:
      return Exit::inconclusive;
  }
  return Exit::inconclusive;
}

}  // namespace

std::string_view name_of(ClaimOutcome outcome) {
  switch (outcome) {
    case ClaimOutcome::holds:
      return "HOLDS";
    case ClaimOutcome::refuted:
      return "REFUTED";
    case ClaimOutcome::inconclusive:
      return "INCONCLUSIVE";
    case ClaimOutcome::no_verdict:
      return "NO VERDICT";
    case ClaimOutcome::invalid:
      return "INVALID";
  }
  return "";
}

std::int64_t min_pairs_for(const RegisteredClaim& claim, double level) {
  std::int64_t pairs = 2;
  while (min_p(claim, pairs).value_or(0) > level) ++pairs;
  return pairs;
}

/// Measured in docs/method/profiling.md.
constexpr const char* of_profile_text =
    "each pair is a process of its own, so what differs between processes is in the intervals; the uncertainty of the "
    "calibration, which all pairs share, is not (retrial report shows it), nor is what lasts as long as the run";

JudgedClaims judge_claims(const results::Store& store, const StudyView& study,
                          const std::vector<PlannedTrial>& trials) {
  demand_all_trials(store, trials);
  demand_one_kind_of_cpu(cpu_kinds(store, study.digest, trials), store.path().string());
  JudgedClaims out{.family = study.claims, .claims = {}, .records = records_of(trials)};
  out.resamples = resamples_text(study);
  if (study.profile) out.of_profile = of_profile_text;
  ClaimReader reader(store, study, trials);
  std::vector<ClaimScores> scores;
  const auto root = results::parse_hex16(study.seed).value_or(0);
  for (const auto& claim : study.claims.claims) {
    demand_same_data_of(store, study, claim);
    scores.push_back(reader.scores_of(claim, study.claims.failure));
    out.claims.push_back(tested(claim, scores.back(), root, study.claims.alpha));
  }
  adjust(out.claims, &JudgedClaim::p_for, &JudgedClaim::adjusted_for);
  adjust(out.claims, &JudgedClaim::p_against, &JudgedClaim::adjusted_against);
  for (std::size_t i = 0; i < scores.size(); ++i) decide(differences_of(scores[i]), study.claims, out.claims[i]);
  void_by_failures(store, study, trials, scores, out);
  for (auto& claim : out.claims)
    if (const auto dead = dead_side(store, study, trials, claim.claim); !dead.empty())
      claim.outcome = ClaimOutcome::invalid, claim.reason = dead;
  for (auto& claim : out.claims) claim.side_by_side = beside(store, trials, claim.claim);
  const auto spoiled = find_claim_looks(store, study, out);
  auto problem = violation_of(store, study);
  if (problem.empty()) problem = spoiled;
  if (problem.empty()) problem = edited_programs(store, study, trials);
  if (!problem.empty())
    for (auto& claim : out.claims) claim.outcome = ClaimOutcome::invalid, claim.reason = problem;
  return out;
}

void demand_alone(JudgedClaims& judged) {
  for (auto& claim : judged.claims) {
    if (claim.side_by_side.empty() || claim.outcome == ClaimOutcome::invalid) continue;
    claim.outcome = ClaimOutcome::invalid;
    claim.reason =
        std::string(name_of(variance::InvalidReason::side_by_side)) + ": " + std::exchange(claim.side_by_side, "");
  }
}

Exit exit_of(const JudgedClaims& judged) {
  Exit exit = Exit::ok;
  for (const auto& claim : judged.claims)
    if (severity(exit_of(claim)) > severity(exit)) exit = exit_of(claim);
  return exit;
}

}  // namespace retrial::harness::inline judge::inline claims
