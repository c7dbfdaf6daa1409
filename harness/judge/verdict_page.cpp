#include "harness/judge/verdict_page.hpp"

#include "harness/judge/design_sentences.hpp"
#include "harness/judge/verdict_words.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/text.hpp"
#include "variance/designs/design_family.hpp"

namespace retrial::harness::inline judge {
namespace {

using variance::Estimate;
using variance::Status;
using variance::Verdict;

/// Of a difference, behind a number.
std::string unit_of(const Judged& judged) {
  const std::string unit = difference_unit(judged.comparison.metric.unit);
  return unit.empty() ? "" : " " + unit;
}

std::string coloured_word(const Verdict& v) {
  const std::string word(variance::name_of(v.status));
  if (v.status == Status::better || v.status == Status::equivalent) return green(word);
  if (v.status == Status::worse || v.status == Status::invalid) return red(word);
  return yellow(word);
}

/// "kd is BETTER than scratch".
std::string headline(const Verdict& v) {
  const Headline parts = headline_of(v);
  return parts.before + coloured_word(v) + parts.after;
}

std::string subject_text(const Judged& judged) {
  const auto& c = judged.comparison;
  const std::string unit = c.metric.unit.empty() ? "" : " in " + c.metric.unit;
  return "by " + c.metric.name + unit + ", " + std::string(results::name_of(c.metric.direction)) +
         " is better; study " + judged.study.name + " (" + results::hex(judged.study.digest).substr(0, 12) +
         "), workload " + judged.study.workload;
}

std::string counts_text(const Verdict& v) {
  std::string out = std::to_string(v.counts.losses) + " lost, " + std::to_string(v.counts.ties) + " tied";
  if (v.dropped_pairs > 0) out += "; " + counted(v.dropped_pairs, "pair") + " left out because a trial failed";
  return out;
}

void add_p(const Verdict& v, TextTable& table) {
  if (v.sequential) {
    if (v.sequential->always_valid_p)
      table.add({"always valid p", short_text(*v.sequential->always_valid_p), "for better, at every look"});
  } else if (v.test) {
    table.add({"p of " + v.test->test, or_dash(v.test->p),
               "two-sided; " + or_dash(v.test->p_better) + " for better, " + or_dash(v.test->p_worse) + " for worse"});
  } else {
    table.add({"exact one-sided p", short_text(v.p_better), "for better; " + short_text(v.p_worse) + " for worse"});
  }
}

std::string evidence_table(const Judged& judged) {
  const Verdict& v = judged.verdict;
  const std::string unit = unit_of(judged);
  TextTable table({{""}, {""}, {""}});
  table.add({"pairs that " + v.design.candidate + " won",
             std::to_string(v.counts.wins) + " of " + std::to_string(v.counts.pairs()), counts_text(v)});
  table.add({"P(" + v.design.candidate + " beats " + v.design.baseline + "), same seeds", short_text(v.paired_p.point),
             interval_line(v.paired_p)});
  if (v.unpaired)
    table.add({"the same, independent seeds", short_text(v.unpaired->theta), interval_line(v.unpaired->interval)});
  if (const auto difference = mean_difference(v, judged.comparison.scores))
    table.add({"mean difference", signed_text(difference->estimate.point) + unit,
               difference->why.empty() ? interval_line(difference->estimate) : difference->why});
  if (v.equivalence)
    table.add({"difference within the margin of " + or_dash(v.design.margin) + unit,
               v.equivalence->test.equivalent ? "yes" : "not shown", interval_line(v.equivalence->difference)});
  add_p(v, table);
  table.add({"pairing gain", v.pairing_gain ? short_text(*v.pairing_gain, 3) : "-",
             v.pairing_gain ? "times the runs that independent seeds would take" : "not defined here"});
  return table.text(2, terminal_width());
}

std::vector<std::string> variant_cells(const std::string& name, const std::string& role,
                                       const variance::VariantSummary& s) {
  const std::string floor =
      s.binomial_floor
          ? short_text(*s.binomial_floor) +
                (s.floor_share ? " (" + (*s.floor_share >= 1 ? ">= 100 %" : percent(*s.floor_share)) + ")" : "")
          : "-";
  return {name,          role,  std::to_string(s.runs),    or_dash(s.mean),
          or_dash(s.sd), floor, std::to_string(s.missing), std::to_string(s.diverged)};
}

std::string variants_table(const Judged& judged) {
  const Verdict& v = judged.verdict;
  TextTable table({{"variant"},
                   {"role"},
                   {"n", Align::right},
                   {"mean", Align::right},
                   {"sd", Align::right},
                   {"floor of sd", Align::right},
                   {"failed", Align::right},
                   {"diverged", Align::right}});
  table.add(variant_cells(v.design.candidate, "candidate", v.candidate));
  table.add(variant_cells(v.design.baseline, "baseline", v.baseline));
  std::string out = table.text(2, terminal_width());
  if (v.candidate.binomial_floor || v.baseline.binomial_floor)
    out += "  floor of sd: what the choice of the test items alone gives, and its share of the variance\n";
  return out;
}

void add_sequential_rule(const Verdict& v, TextTable& table) {
  const auto& part = *v.sequential;
  table.add({"rule", design_words(v.design) + "; " + failure_text(v.design.failure)});
  table.add({"guarantee", std::string(variance::family_of(v.design).guarantee)});
  table.add({"stops", boundary_words(v.design)});
  if (part.at_half)
    table.add({"size", percent(part.at_half->better) + ": so often two equal variants are called BETTER"});
  if (part.at_gamma)
    table.add({"power", percent(part.at_gamma->better) + ": so often a candidate that wins " +
                            percent(v.design.levels().gamma) + " of the pairs is called BETTER, after " +
                            short_text(part.at_gamma->pairs) + " pairs on average"});
  table.add({"judged", "the first " + counted(part.at_n, "pair") + " in the order of the plan" +
                           (part.given > part.at_n
                                ? "; " + counted(part.given - part.at_n, "pair") + " behind the boundary not judged"
                                : "")});
}

void add_fixed_rule(const Judged& judged, TextTable& table) {
  const Verdict& v = judged.verdict;
  if (v.design.test != "pab_exact") {
    table.add({"rule", design_words(v.design) + "; " + failure_text(v.design.failure)});
    return;
  }
  table.add({"rule", "pab_exact, fixed number of pairs: alpha " + short_text(v.design.alpha) + ", beta " +
                         short_text(v.design.beta) + ", gamma " + short_text(v.design.gamma) +
                         (v.design.margin ? ", margin " + short_text(*v.design.margin) + unit_of(judged) : "") + "; " +
                         failure_text(v.design.failure)});
  table.add({"BETTER takes", needed_text(v.planned)});
  if (v.applied.pairs != v.planned.pairs) table.add({"without ties", needed_text(v.applied)});
  table.add({"size", percent(v.planned.size) + ": so often two equal variants are called BETTER"});
  table.add({"power", percent(v.planned.power) + ": so often a candidate that wins " + percent(v.design.gamma) +
                          " of the pairs is called BETTER"});
}

std::string design_table(const Judged& judged) {
  TextTable table({{""}, {""}});
  if (judged.verdict.sequential)
    add_sequential_rule(judged.verdict, table);
  else
    add_fixed_rule(judged, table);
  if (judged.study.search)
    table.add({"holds for", scope_of(judged.study) == "pipeline"
                                ? "the pipeline: every pair has a search of its own"
                                : "these keys (lambda): one search for all pairs, so nothing of the pipeline"});
  table.add({"varied", names_or_nothing(judged.study.vary)});
  table.add({"held", names_or_nothing(judged.study.hold)});
  return table.text(2, terminal_width());
}

std::string list_of(const std::string& title, const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) {
    const auto lines = wrapped(title + ": " + item, terminal_width() - 2);
    for (std::size_t i = 0; i < lines.size(); ++i) out += (i == 0 ? "" : "  ") + lines[i] + "\n";
  }
  return out.empty() ? "" : "\n" + out;
}

}  // namespace

std::string verdict_page(const Judged& judged) {
  const auto& c = judged.comparison;
  const bool as_declared = c.undeclared.empty();
  return bold(headline(judged.verdict)) + "\n" + paragraph(subject_text(judged)) + "\n" +
         paragraph(variance::sentence(judged.verdict)) + list_of("not declared", c.undeclared) + "\n" +
         bold("Evidence") + "\n" + evidence_table(judged) + "\n" + bold("Variants") + "\n" + variants_table(judged) +
         "\n" + bold("Design") + (as_declared ? " (declared before the first run)" : " (not as declared; see above)") +
         "\n" + design_table(judged) + list_of("warning", judged.verdict.warnings);
}

}  // namespace retrial::harness::inline judge
