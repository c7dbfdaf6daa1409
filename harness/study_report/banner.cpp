#include "harness/judge/verdict_words.hpp"
#include "harness/stored/progress.hpp"
#include "harness/study_report/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study_report {
namespace {

using report::Banner;
using report::Fact;
using report::Tone;
using variance::Status;
using variance::Verdict;

Tone tone_of(Status status) {
  switch (status) {
    case Status::better:
      return Tone::good;
    case Status::worse:
    case Status::invalid:
      return Tone::bad;
    case Status::equivalent:
    case Status::not_meaningful:
      return Tone::settled;
    case Status::inconclusive:
      return Tone::open;
  }
  return Tone::open;
}

std::string study_text(const StudyView& study) {
  return "study " + study.name + ", workload " + study.workload + ", " +
         counted(study.pairs, study.variance ? "run" : "pair");
}

/// "With new seeds for init, data-order", of what was varied.
std::string new_seeds(const StudyView& study) {
  return study.vary.empty() ? "Run again" : "With new seeds for " + results::joined(study.vary);
}

std::string winner_meaning(const Material& material, const std::string& winner, bool candidate) {
  const auto& p = material.judgement->verdict.paired_p;
  std::string out = new_seeds(material.study) + ", expect " + winner + " to come out ahead in about " +
                    percent(candidate ? p.point : 1 - p.point) + " of the paired runs";
  if (p.low && p.high)
    out += "; the data agree with " + percent(candidate ? *p.low : 1 - *p.high) + " to " +
           percent(candidate ? *p.high : 1 - *p.low);
  return out + ".";
}

std::string meaning_of(const Material& material) {
  const Verdict& v = material.judgement->verdict;
  switch (v.status) {
    case Status::better:
      return winner_meaning(material, v.design.candidate, true);
    case Status::worse:
      return winner_meaning(material, v.design.baseline, false);
    case Status::equivalent:
      if (v.design.band)
        return "Whoever accepts that " + v.design.candidate + " wins between " + percent(v.design.band->first) +
               " and " + percent(v.design.band->second) + " of the pairs may take either of them.";
      return "Whoever accepts a difference of " + or_dash(v.design.margin) + " may take either of them.";
    case Status::not_meaningful:
      return "Whatever difference there may be, the candidate does not win " + percent(v.design.gamma) +
             " of the pairs, which the design declared to be the least that matters.";
    case Status::inconclusive:
      return "These runs do not decide. That is no evidence that the two are equal.";
    case Status::invalid:
      return "These runs cannot answer the question as it was declared, so no estimate is given.";
  }
  return "";
}

/// Rules on wins have exact ones; of rules on scores they depend on how these are distributed.
bool has_error_rates(const Verdict& v) {
  return v.sequential ? v.sequential->at_half.has_value() : v.design.test == "pab_exact";
}

std::vector<Fact> facts_of(const Verdict& v, const std::string& unit) {
  std::vector<Fact> out;
  if (v.status != Status::invalid)
    out.push_back({"pairs that " + v.design.candidate + " won",
                   std::to_string(v.counts.wins) + " of " + std::to_string(v.counts.pairs())});
  if (v.status != Status::invalid && v.status != Status::inconclusive && v.difference)
    out.push_back(
        {"mean difference", signed_text(v.difference->mean.point) + (unit.empty() ? "" : " " + difference_unit(unit))});
  if (v.status == Status::inconclusive && v.more_pairs && v.more_pairs->pairs)
    out.push_back({"further pairs that a new design would take", std::to_string(*v.more_pairs->pairs)});
  if (v.sequential) out.push_back({"pairs at which the design stopped", std::to_string(v.sequential->at_n)});
  if (!has_error_rates(v)) return out;
  out.push_back({"false positives: two equal variants called BETTER", percent(v.planned.size)});
  out.push_back({"power: a candidate that wins " + percent(v.design.gamma) + " of the pairs called BETTER",
                 percent(v.planned.power)});
  return out;
}

Banner judged_banner(const Material& material) {
  const Judgement& j = *material.judgement;
  const Headline parts = headline_of(j.verdict);
  return {.tone = tone_of(j.verdict.status),
          .before = parts.before,
          .word = std::string(variance::name_of(j.verdict.status)),
          .after = parts.after,
          .subject = "by " + with_unit(j.comparison.metric.name, j.comparison.metric.unit) + ", " +
                     std::string(results::name_of(j.comparison.metric.direction)) + " is better; " +
                     study_text(material.study),
          .sentence = variance::sentence(j.verdict),
          .meaning = meaning_of(material),
          .facts = facts_of(j.verdict, j.comparison.metric.unit)};
}

std::vector<Fact> progress_facts(const Material& material) {
  const Progress total = total_progress(material.trials);
  std::vector<Fact> out;
  for (const TrialState state : all_trial_states)
    if (state == TrialState::done || total.of(state) > 0)
      out.push_back({"trials " + (state == TrialState::running ? "not ended" : std::string(name_of(state))),
                     std::to_string(total.of(state)) + " of " + std::to_string(total.total())});
  return out;
}

Banner open_banner(const Material& material) {
  const auto& study = material.study;
  const bool sides = study.candidate && study.baseline;
  return {.tone = Tone::open,
          .before = (sides ? *study.candidate + " against " + *study.baseline : study.name) + ": ",
          .word = material.none.word,
          .after = "",
          .subject = study_text(study),
          .sentence = material.none.problem,
          .meaning = material.none.advice,
          .facts = progress_facts(material)};
}

}  // namespace

report::Banner banner_of(const Material& material) {
  return material.judgement ? judged_banner(material) : open_banner(material);
}

}  // namespace retrial::harness::inline study_report
