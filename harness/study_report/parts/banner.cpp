#include "harness/judge/verdict/verdict_page.hpp"
#include "harness/stored/progress.hpp"
#include "harness/study_report/parts/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "variance/verdict/pair_outcomes.hpp"

namespace retrial::harness::inline study_report::inline parts {
namespace {

using report::Banner;
using report::Fact;
using variance::Status;
using variance::Verdict;

std::string study_text(const StudyView& study) {
  return "study " + study.name + ", workload " + study.workload + ", " +
         counted(study.pairs, study.variance ? "run" : "pair");
}

/// Rules on wins have exact ones; those of rules on scores depend on how the scores are distributed.
bool has_error_rates(const Verdict& v) {
  return v.sequential ? v.sequential->at_half.has_value() : v.design.test == "pab_exact";
}

/// The numbers that a reader takes away.
std::vector<Fact> facts_of(const Judgement& judgement) {
  const Verdict& v = judgement.verdict;
  const std::string unit = difference_unit(judgement.comparison.metric.unit);
  std::vector<Fact> out;
  if (v.status != Status::invalid)
    out.push_back({"pairs won by " + v.design.candidate,
                   std::to_string(v.counts.wins) + " of " + std::to_string(v.counts.pairs()) +
                       (v.counts.ties > 0 ? " (" + variance::undecided_text(v) + ")" : "")});
  if (v.status != Status::invalid && v.status != Status::inconclusive && v.difference)
    out.push_back({"mean difference", signed_text(v.difference->mean.point) + (unit.empty() ? "" : " " + unit)});
  if (v.status == Status::inconclusive && v.more_pairs && v.more_pairs->pairs)
    out.push_back({"further pairs that a new study would need", std::to_string(*v.more_pairs->pairs)});
  if (v.sequential) out.push_back({"pairs at which the design stopped", std::to_string(v.sequential->at_n)});
  if (!has_error_rates(v)) return out;
  out.push_back({"false-positive rate", percent(v.false_positive_rate())});
  if (v.design.gamma) out.push_back({"power " + win_rate_condition(v.design), percent(v.planned.power)});
  return out;
}

Banner judged_banner(const Material& material) {
  Banner out = verdict_banner(material.judged());
  out.facts = facts_of(*material.judgement);
  return out;
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
  return {.tone = report::Tone::open,
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

}  // namespace retrial::harness::inline study_report::inline parts
