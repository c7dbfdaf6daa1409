#include "harness/study_report/material/material.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/stored/likeness/emulated_trials.hpp"
#include "harness/stored/progress.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "variance/verdict/sequential_verdict.hpp"

namespace retrial::harness::inline study_report::inline material {
namespace {

std::vector<results::TrialRow> attempts_of(const results::Store& store, const StudyView& study) {
  std::set<std::pair<results::Digest, std::uint32_t>> planned;
  for (const auto& entry : study.plan) planned.emplace(entry.identity, entry.replicate);
  auto out = store.trials();
  std::erase_if(out, [&](const auto& row) { return !planned.contains({row.identity, row.replicate}); });
  return out;
}

bool usable(const std::optional<double>& score) {
  return score && std::isfinite(*score);
}

/// Indices of the pairs in the order of Comparison::scores.
std::vector<std::int64_t> pair_indices(const std::vector<PlannedTrial>& trials, const variance::Design& design) {
  std::map<std::int64_t, std::set<std::string>> sides;
  for (const auto& trial : trials)
    if (trial.entry.variant == design.baseline || trial.entry.variant == design.candidate)
      sides[trial.entry.pair_index].insert(trial.entry.variant);
  std::vector<std::int64_t> out;
  for (const auto& [index, variants] : sides)
    if (variants.size() == 2) out.push_back(index);
  return out;
}

std::vector<PairRow> pair_rows(const std::vector<PlannedTrial>& trials, const Comparison& c) {
  const auto indices = pair_indices(trials, c.design);
  const auto outcomes = variance::pair_outcomes(c.scores, c.design);
  std::vector<PairRow> out;
  for (std::size_t i = 0; i < c.scores.candidate.size(); ++i) {
    out.push_back({.index = indices.at(i),
                   .candidate = c.scores.candidate[i],
                   .baseline = c.scores.baseline[i],
                   .outcome = outcomes[i]});
  }
  return out;
}

NoVerdict unfinished(const Material& material) {
  const Progress total = total_progress(material.trials);
  return {.word = "UNFINISHED",
          .problem = std::to_string(total.open()) + " of the " + std::to_string(total.total()) +
                     " planned trials have not run yet, so nothing is judged.",
          .advice = "Repeat the same retrial " + std::string(material.study.profile ? "profile" : "run") +
                    " command to run the missing trials. Until then no estimate is shown: looking "
                    "at interim numbers, and stopping at them, would change the declared error rate."};
}

NoVerdict undeclared(const Material& material) {
  if (material.study.variance)
    return {.word = "SOURCES",
            .problem =
                "This study measures where the variance comes from and compares nothing; see the section on sources.",
            .advice = "retrial variance " + shell_word(material.file) +
                      " prints the same, and the searches and runs that a given precision needs."};
  if (material.study.profile)
    return {.word = "PROFILE",
            .problem =
                "This study measures where the time of a training goes and judges no variant; see the section on "
                "the profile.",
            .advice =
                "A profile explains a difference. Whether there is one, a study without [profile] says, with "
                "error rates."};
  const bool several = material.study.variants.size() > 1;
  return {.word = "NO VERDICT",
          .problem = "This study declares no comparison, so nothing is judged.",
          .advice = several
                        ? "A table [compare] in the study file declares one before the first run; retrial compare " +
                              shell_word(material.file) +
                              " --metric NAME --baseline NAME --candidate NAME judges the stored runs, marked as not "
                              "declared."
                        : "A comparison needs a second variant: a study file with two tables [variant.NAME] and a "
                          "table [compare], declared before the first run."};
}

NoVerdict undecided(const variance::Verdict& verdict) {
  return {.word = "NOT DECIDED YET",
          .problem = variance::sentence(verdict),
          .advice = "Repeat the same retrial run command to continue until the declared design has decided."};
}

/// A sequential design shows the pairs that it judged; the store keeps those that ran after its boundary.
Judgement judgement_of(const Material& material) {
  Judgement out{
      .comparison = read_comparison(material.store, material.study, material.trials, {}), .verdict = {}, .pairs = {}};
  out.verdict = verdict_of(out.comparison);
  if (out.verdict.sequential)
    out.comparison.scores = variance::first_pairs(out.comparison.scores, out.verdict.sequential->at_n);
  out.pairs = pair_rows(material.trials, out.comparison);
  return out;
}

std::string what_of(const ErrorText& error) {
  if (error.field.empty()) return error.problem;
  return error.field + (error.value.empty() ? "" : " = " + error.value) + ": " + error.problem;
}

void judge_if_possible(Material& material) {
  const auto& design = material.study.design;
  const bool sequential = design && design->sequential();
  material.finished = total_progress(material.trials).open() == 0;
  if (!material.finished && (!sequential || total_progress(material.trials).of(TrialState::done) == 0)) {
    material.none = unfinished(material);
    return;
  }
  if (!design) {
    material.none = undeclared(material);
    return;
  }
  try {
    Judgement out = judgement_of(material);
    if (sequential && out.verdict.sequential->state == variance::SequentialState::go_on) {
      material.none = undecided(out.verdict);
      return;
    }
    material.finished = true;
    material.judgement = std::move(out);
  } catch (const Error& error) {
    if (error.text.exit == Exit::integrity) throw;
    material.none = {.word = "NO VERDICT",
                     .problem = "The declared comparison cannot be judged: " + what_of(error.text) + ".",
                     .advice = "retrial show " + shell_word(material.file) + " lists the contents of the store."};
  }
}

void judge_claims_if_possible(Material& material) {
  if (material.study.claims.empty() || !material.finished) return;
  try {
    material.claims = judge_claims(material.store, material.study, material.trials);
  } catch (const Error& error) {
    if (error.text.exit == Exit::integrity) throw;
    material.claims_problem = what_of(error.text);
  }
}

}  // namespace

std::optional<double> PairRow::difference() const {
  if (!usable(candidate) || !usable(baseline)) return {};
  return *candidate - *baseline;
}

bool Material::decided() const {
  return judgement && judgement->verdict.status != variance::Status::invalid;
}

Judged Material::judged() const {
  return {.study = study, .comparison = judgement->comparison, .verdict = judgement->verdict};
}

Material read_material(const results::Store& store, StudyView study) {
  Material out{.store = store,
               .study = std::move(study),
               .file = store.path().filename().string(),
               .trials = {},
               .attempts = {},
               .judgement = std::nullopt,
               .none = {},
               .claims = std::nullopt,
               .claims_problem = ""};
  out.trials = plan_state(store, out.study.plan);
  demand_one_kind_of_cpu(cpu_kinds(store, out.study.digest, out.trials), store.path().string());
  out.attempts = attempts_of(store, out.study);
  judge_if_possible(out);
  judge_claims_if_possible(out);
  return out;
}

}  // namespace retrial::harness::inline study_report::inline material
