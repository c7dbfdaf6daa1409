#include "harness/judge/verdict/verdict_page.hpp"

#include "harness/estimates/two_sides.hpp"
#include "harness/judge/design/design_sentences.hpp"
#include "harness/judge/design/scale.hpp"
#include "harness/judge/verdict/answers_text.hpp"
#include "harness/judge/verdict/evidence.hpp"
#include "harness/judge/verdict/verdict_words.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "results/text/text.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/verdict/decided_scores.hpp"

namespace retrial::harness::inline judge::inline verdict {
namespace {

using report::Facts;
using variance::Status;
using variance::Verdict;

std::string subject_text(const Judged& judged) {
  const auto& [study, c, v] = judged;
  return "by " + with_unit(c.metric.name, c.metric.unit) + ", " + std::string(results::name_of(c.metric.direction)) +
         " is better; study " + study.name + " (" + results::hex(study.digest).substr(0, 12) + "), workload " +
         study.workload + ", " + counted(study.pairs, "pair");
}

std::string winner_meaning(const Judged& judged, const std::string& winner, bool candidate) {
  const auto& p = judged.verdict.win_rate();
  std::string out = (judged.study.vary.empty() ? "In new runs, " : "With new seeds, ") + winner + " should win about " +
                    percent(candidate ? p.point : 1 - p.point) +
                    (judged.verdict.untied_only() ? " of the pairs that are not tied" : " of pairs");
  if (p.low && p.high)
    out += " (" + percent(p.level) + " CI " + percent(candidate ? *p.low : 1 - *p.high) + " to " +
           percent(candidate ? *p.high : 1 - *p.low) + ")";
  return out + ".";
}

std::string equivalent_meaning(const Judged& judged) {
  const auto& design = judged.verdict.design;
  const std::string unit = difference_unit(judged.comparison.metric.unit);
  return "If " +
         (design.band ? "a win rate between " + percent(design.band->first) + " and " + percent(design.band->second)
                      : "a difference of " + or_dash(design.margin) + (unit.empty() ? "" : " " + unit)) +
         " is acceptable, either variant will do.";
}

/// For a sequential design the evidence has no p of its own.
std::string not_meaningful_meaning(const Verdict& v) {
  const auto levels = v.design.levels();
  std::string out =
      "A win rate of " + percent(*levels.gamma) + ", declared as the smallest that matters, is ruled out (";
  if (!v.sequential)
    out += "p = " + p_text(variance::binomial_at_most(v.counts.wins, v.counts.untied(), *levels.gamma), levels.beta) +
           ", ";
  return out + "beta " + short_text(levels.beta) + ").";
}

std::string meaning_of(const Judged& judged) {
  const Verdict& v = judged.verdict;
  switch (v.status) {
    case Status::better:
      return winner_meaning(judged, v.design.candidate, true);
    case Status::worse:
      return winner_meaning(judged, v.design.baseline, false);
    case Status::equivalent:
      return equivalent_meaning(judged);
    case Status::not_meaningful:
      return not_meaningful_meaning(v);
    case Status::inconclusive:
      return "These runs do not decide. That is no evidence that the two are equal.";
    case Status::invalid:
      return "These runs cannot answer the declared question, so no estimate is given.";
  }
  return "";
}

/// "at least 15 wins in 20 untied pairs", or why no number of wins is enough.
std::string needed_text(const variance::FixedRule& rule) {
  if (!rule.better_from)
    return "never: " + counted(rule.pairs, "pair") + " are too few even if all are won (smallest p " +
           short_text(rule.min_p) + ")";
  return "at least " + counted(*rule.better_from, "win") + " in " + std::to_string(rule.pairs) + " untied pairs";
}

void add_sequential_rule(const Verdict& v, Facts& out) {
  const auto& part = *v.sequential;
  out.rows.push_back({"guarantee", std::string(variance::family_of(v.design).guarantee)});
  out.rows.push_back({"stops", boundary_words(v.design)});
  const std::int64_t gone = v.counts.ties + v.dropped_pairs;
  if (gone > 0 && variance::rule_of(v.design) == "curtailed")
    out.rows.push_back({"given the ties", needed_text(variance::fixed_rule(v.design.pairs - gone, v.design.levels()))});
  if (part.at_half) out.rows.push_back({"false-positive rate", percent(part.at_half->better)});
  if (part.at_win_rate)
    out.rows.push_back({"power", percent(part.at_win_rate->better) + " " + win_rate_condition(v.design) + ", after " +
                                     short_text(part.at_win_rate->pairs) + " pairs on average"});
  const auto after = part.given - part.at_n;
  out.rows.push_back(
      {"judged", "the first " + counted(part.at_n, "pair") + " in plan order" +
                     (after > 0 ? "; " + counted(after, "pair") + " after the boundary not judged" : "")});
}

void add_exact_rule(const Verdict& v, Facts& out) {
  out.rows.push_back({"BETTER needs", needed_text(v.planned)});
  if (v.applied.pairs != v.planned.pairs) out.rows.push_back({"given the ties", needed_text(v.applied)});
  out.rows.push_back({"false-positive rate", percent(v.false_positive_rate())});
  out.rows.push_back({"power", percent(v.planned.power) + " " + win_rate_condition(v.design)});
}

std::string scope_text(const StudyView& study) {
  return scope_of(study) == "pipeline" ? "the pipeline: every pair has its own search"
                                       : "these keys only (lambda): one search serves all pairs";
}

Facts design_facts(const Judged& judged) {
  const Verdict& v = judged.verdict;
  Facts out{{{"rule", design_words(v.design)}}};
  if (v.sequential)
    add_sequential_rule(v, out);
  else if (v.design.test == "pab_exact")
    add_exact_rule(v, out);
  out.rows.push_back({"failed trials", failure_text(v.design.failure)});
  if (judged.study.search) out.rows.push_back({"scope", scope_text(judged.study)});
  if (judged.comparison.overlap) out.rows.push_back({"about", about_resamples(*judged.comparison.overlap)});
  out.rows.push_back({"varied", names_or_nothing(judged.study.vary)});
  out.rows.push_back({"held", names_or_nothing(judged.study.hold)});
  return out;
}

std::string floor_text(const variance::VariantSummary& s) {
  if (!s.binomial_floor) return "-";
  const std::string share = !s.floor_share        ? ""
                            : *s.floor_share >= 1 ? " (100 % or more)"
                                                  : " (" + percent(*s.floor_share) + ")";
  return short_text(*s.binomial_floor) + share;
}

/// "at least 66.25" where a score is only a bound; a mean of bounds in both directions says neither.
std::string mean_text(const variance::VariantSummary& s) {
  if (s.at_least > 0 && s.at_most > 0) return "- (bounds)";
  const std::string bound = s.at_least > 0 ? "at least " : s.at_most > 0 ? "at most " : "";
  return bound + or_dash(s.mean);
}

/// A sequential design does not judge pairs after its boundary.
TwoSides judged_sides(const Judged& judged) {
  const Verdict& v = judged.verdict;
  auto scores = variance::decided_scores(judged.comparison.scores);
  if (v.sequential) {
    scores.candidate.resize(static_cast<std::size_t>(v.sequential->at_n));
    scores.baseline.resize(static_cast<std::size_t>(v.sequential->at_n));
  }
  return two_sides(v.design.candidate, scores.candidate, v.design.baseline, scores.baseline, true);
}

}  // namespace

report::Banner verdict_banner(const Judged& judged) {
  const Headline parts = headline_of(judged.verdict);
  return {.tone = tone_of(judged.verdict.status),
          .before = parts.before,
          .word = std::string(variance::name_of(judged.verdict.status)),
          .after = parts.after,
          .answers = answers_text(judged.verdict, judged.comparison.metric.unit),
          .subject = subject_text(judged),
          .sentence = variance::sentence(judged.verdict),
          .meaning = meaning_of(judged),
          .facts = {}};
}

report::Table variants_table(const Judged& judged) {
  const Verdict& v = judged.verdict;
  const bool floors = v.candidate.binomial_floor || v.baseline.binomial_floor;
  report::Table out{
      .caption =
          floors ? "sampling sd: the sd expected from test-set sampling alone, and its share of the variance" : "",
      .columns =
          {{"variant"}, {"role"}, {"n", true}, {"mean", true}, {"sd", true}, {"failed", true}, {"diverged", true}},
      .rows = {}};
  if (floors) out.columns.insert(out.columns.begin() + 5, {"sampling sd", true});
  const auto& [of_candidate, of_baseline, most] = judged.comparison.retries;
  const bool retried = most > 0;
  if (retried) out.columns.push_back({"retried", true});
  const auto add = [&](const std::string& name, const char* role, const variance::VariantSummary& s,
                       std::int64_t retries) {
    std::vector<report::Cell> row{name, role, std::to_string(s.runs), mean_text(s), or_dash(s.sd)};
    if (floors) row.emplace_back(floor_text(s));
    row.emplace_back(std::to_string(s.missing));
    row.emplace_back(std::to_string(s.diverged));
    if (retried) row.emplace_back(std::to_string(retries));
    out.rows.push_back(std::move(row));
  };
  add(v.design.candidate, "candidate", v.candidate, of_candidate);
  add(v.design.baseline, "baseline", v.baseline, of_baseline);
  if (v.status == Status::invalid) return out;
  auto cells = difference_cells(judged_sides(judged));
  cells.insert(cells.begin(), {"difference", "of pairs"});
  cells.resize(out.columns.size(), "");
  out.rows.push_back(std::move(cells));
  return out;
}

report::Section design_section(const Judged& judged) {
  report::Section out{.id = "design",
                      .title = "Design",
                      .aside = std::string(judged.comparison.undeclared.empty() ? "(declared before the first run"
                                                                                : "(not as declared") +
                               (judged.comparison.recorded ? ")" : ", look not recorded)"),
                      .blocks = {design_facts(judged)}};
  for (const auto& warning : judged.verdict.warnings) out.blocks.emplace_back(report::Warning{warning, "warning"});
  return out;
}

std::string verdict_page(const Judged& judged) {
  return banner_text(verdict_banner(judged)) + "\n" +
         sections_text(
             {{.id = "both", .title = "Variants", .aside = "(sd divides by n - 1)", .blocks = {variants_table(judged)}},
              *verdict_evidence(judged, evidence_rows(judged)).section,
              design_section(judged)});
}

}  // namespace retrial::harness::inline judge::inline verdict
