#include "harness/judge/verdict/evidence.hpp"

#include "harness/judge/verdict/replication_text.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "variance/comparisons/deciding_p.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/verdict/answers.hpp"
#include "variance/verdict/complete_pairs.hpp"

namespace retrial::harness::inline judge::inline verdict {
namespace {

using variance::Verdict;

EvidenceRow same_seeds(const Verdict& v) {
  const auto deciding = variance::answers_of(v)->real;
  const bool worse = deciding.direction == variance::Status::worse, both = v.design.sides == variance::Sides::two;
  return {.what = win_chance_of(v.design) + ", same seeds" + (v.untied_only() ? ", untied pairs" : ""),
          .unit = "",
          .estimate = v.win_rate(),
          .n = v.untied_only() ? v.counts.untied() : v.counts.pairs(),
          .chance = true,
          .p = worse ? v.p_worse : v.p_better,
          .test = "exact sign test, " + std::string(both    ? "twice the smaller one-sided p"
                                                    : worse ? "one-sided for WORSE"
                                                            : "one-sided for BETTER"),
          .test_name = "pab_exact",
          .decides = true,
          .p_deciding = deciding.p};
}

EvidenceRow independent_seeds(const Verdict& v) {
  return {.what = win_chance_of(v.design) + ", independent seeds",
          .unit = "",
          .estimate = v.unpaired->interval,
          .n = v.counts.pairs(),
          .chance = true,
          .p = std::nullopt,
          .ties_as_half = v.unpaired->ties > 0};
}

/// One complete pair, and differences that do not vary, leave no interval. Nothing without a complete pair.
std::optional<EvidenceRow> mean_difference(const Judged& judged) {
  const Verdict& v = judged.verdict;
  EvidenceRow out{.what = "mean difference, " + v.design.candidate + " - " + v.design.baseline,
                  .unit = difference_unit(judged.comparison.metric.unit),
                  .estimate = {},
                  .n = v.complete_pairs,
                  .p = std::nullopt};
  if (!v.difference) {
    if (v.complete_pairs != 1) return std::nullopt;
    out.estimate.point = variance::complete_pairs(judged.comparison.scores).difference.front();
    out.why = "undefined (n = 1)";
    return out;
  }
  out.estimate = v.difference->mean;
  if (v.difference->degenerate) {
    out.estimate.low = out.estimate.high = std::nullopt;
    out.why = "identical in every pair";
    return out;
  }
  out.p = v.difference->p_two;
  out.test = "two-sided paired t test of the mean";
  out.test_name = "paired_t";
  return out;
}

EvidenceRow within_margin(const Judged& judged) {
  const Verdict& v = judged.verdict;
  return {.what = "difference within the margin of " + or_dash(v.design.margin),
          .unit = difference_unit(judged.comparison.metric.unit),
          .estimate = v.equivalence->difference,
          .n = v.complete_pairs,
          .p = v.equivalence->test.p(),
          .test = "two one-sided t tests of the margin",
          .test_name = "tost",
          .shown = v.equivalence->test.equivalent ? "yes" : "not shown"};
}

/// The tests of the other rows are made for a single look at a fixed number of pairs.
void leave_one_test(std::vector<EvidenceRow>& rows, const Verdict& v) {
  for (auto& row : rows) {
    row.p = std::nullopt;
    row.test.clear();
    row.test_name = {};
    row.more.clear();
    row.decides = false;
    row.p_deciding = std::nullopt;
  }
  const bool wins = v.sequential && variance::family_of(v.design).data == variance::SequentialData::wins;
  EvidenceRow& judged = wins ? rows.front() : rows.back();
  judged.decides = true;
  const auto real = variance::answers_of(v)->real;
  judged.p = v.sequential ? real.p : v.test->p;
  judged.test_name = v.sequential ? variance::rule_of(v.design) : v.test->test;
  judged.test = v.sequential ? "family " + v.design.family + ", for " + std::string(variance::name_of(real.direction)) +
                                   ", at every look"
                             : "test " + v.test->test;
  const auto deciding = v.test ? variance::deciding_p(*v.test, v.design.sides) : std::nullopt;
  if (!deciding) return;
  judged.p_deciding = deciding->p;
  if (deciding->claim == variance::Status::equivalent) return;
  judged.more = v.design.sides == variance::Sides::two
                    ? "twice the smaller one-sided p"
                    : "one-sided, for " + std::string(variance::name_of(deciding->claim));
  judged.more += "; " + or_dash(v.test->p_better) + " for BETTER, " + or_dash(v.test->p_worse) + " for WORSE, " +
                 or_dash(v.test->p) + " two-sided";
}

std::string with_level(const variance::Estimate& e) {
  return e.low && e.high ? percent(e.level) + " CI " + interval_text(e) + ", " + e.method : interval_line(e);
}

std::string detail_of(const EvidenceRow& row) {
  const auto& e = row.estimate;
  if (!row.why.empty()) return row.why;
  const std::string ties = row.ties_as_half ? ", ties count as half" : "";
  return with_level(e) + ties;
}

std::string shown_value(const EvidenceRow& row) {
  if (!row.shown.empty()) return row.shown;
  if (row.chance) return short_text(row.estimate.point);
  return signed_text(row.estimate.point) + (row.unit.empty() ? "" : " " + row.unit);
}

void without_interval(variance::Estimate& estimate) {
  estimate.low = estimate.high = std::nullopt;
  estimate.method = "none that holds at every look";
}

std::string p_shown(const EvidenceRow& row, const Verdict& v) {
  return row.decides ? p_text(row.p_deciding.value_or(*row.p), v.design.alpha) : short_text(*row.p);
}

/// The ordinal size is the first row of the evidence.
report::Facts evidence_facts(const Verdict& v, const std::vector<EvidenceRow>& rows,
                             const std::optional<MeasuredEffects>& effects,
                             const std::optional<variance::Replication>& replication) {
  const auto dropped = v.dropped_pairs == 0 ? "" : "; " + counted(v.dropped_pairs, "pair") + " dropped: a run failed";
  const auto open = v.open_pairs == 0 ? "" : " (a score is a bound in " + std::to_string(v.open_pairs) + ")";
  const auto both = v.both_failed == 0 ? "" : ", both failed in " + std::to_string(v.both_failed);
  report::Facts out{{{.name = "pairs won by " + v.design.candidate,
                      .value = std::to_string(v.counts.wins) + " of " + std::to_string(v.counts.pairs()),
                      .detail = std::to_string(v.counts.losses) + " lost, " + std::to_string(v.tied_scores()) +
                                " tied" + open + both + dropped}}};
  for (const auto& row : rows) {
    out.rows.push_back({row.what, shown_value(row), detail_of(row)});
    if (row.p)
      out.rows.push_back(
          {row.decides ? "deciding p" : "p", p_shown(row, v), row.test + (row.more.empty() ? "" : "; " + row.more)});
  }
  if (effects)
    for (auto& fact : effect_facts(*effects, {.ordinal = false, .interval = with_level})) out.rows.push_back(fact);
  out.rows.push_back({"pairing gain", v.pairing_gain ? short_text(*v.pairing_gain, 3) : "-",
                      v.pairing_gain ? "unpaired runs would need " + short_text(*v.pairing_gain, 3) + " times as many"
                                     : "not defined here"});
  if (replication) out.rows.push_back(replication_fact(*replication, variance::name_of(v.status)));
  return out;
}

Json rows_json(const std::vector<EvidenceRow>& rows) {
  Json out = Json::array();
  for (const auto& row : rows)
    out.push_back({{"claim", row.what},
                   {"unit", row.unit},
                   {"estimate", derived(row.estimate.point)},
                   {"low", derived(row.estimate.low)},
                   {"high", derived(row.estimate.high)},
                   {"level", derived(row.estimate.level)},
                   {"method", row.why.empty() ? row.estimate.method : row.why},
                   {"n", row.n},
                   {"p", derived(row.p)},
                   {"p_deciding", row.decides ? derived(row.p_deciding ? row.p_deciding : row.p) : Json()},
                   {"test", row.test},
                   {"row", row.test_name.empty() ? Json(nullptr) : Json(row.test_name)}});
  return out;
}

}  // namespace

std::string win_chance_of(const variance::Design& design) {
  return "P(" + design.candidate + " beats " + design.baseline + ")";
}

std::vector<EvidenceRow> evidence_rows(const Judged& judged) {
  const Verdict& v = judged.verdict;
  if (v.status == variance::Status::invalid) return {};
  std::vector<EvidenceRow> out{same_seeds(v)};
  if (v.unpaired) out.push_back(independent_seeds(v));
  if (const auto difference = mean_difference(judged)) out.push_back(*difference);
  if (v.sequential || v.test) leave_one_test(out, v);
  if (v.equivalence) out.push_back(within_margin(judged));
  return out;
}

std::optional<MeasuredEffects> effects_of_verdict(const Judged& judged) {
  const Verdict& v = judged.verdict;
  auto scores = judged.comparison.scores;
  if (v.sequential) {
    scores.candidate.resize(static_cast<std::size_t>(v.sequential->at_n));
    scores.baseline.resize(static_cast<std::size_t>(v.sequential->at_n));
  }
  const auto pairs = variance::complete_pairs(scores);
  if (v.status == variance::Status::invalid || pairs.candidate.empty()) return std::nullopt;
  const auto count = std::ssize(pairs.candidate);
  MeasuredEffects out{.candidate = v.design.candidate,
                      .baseline = v.design.baseline,
                      .candidate_runs = count,
                      .baseline_runs = count,
                      .effects = variance::effects_of(
                          pairs.candidate, pairs.baseline, variance::Pairing::paired,
                          {.direction = scores.direction, .alpha = v.design.alpha, .resolution = scores.resolution})};
  if (!v.sequential) return out;
  for (auto& size : out.effects.sizes) without_interval(size.estimate);
  if (out.effects.sd_ratio) without_interval(*out.effects.sd_ratio);
  return out;
}

report::Part verdict_evidence(const Judged& judged, const std::vector<EvidenceRow>& rows) {
  report::Section section{.id = "evidence", .title = "Evidence", .blocks = {}};
  const auto effects = effects_of_verdict(judged);
  const auto replication = variance::replication_of(judged.verdict, judged.comparison.scores);
  for (const auto& text : judged.comparison.undeclared)
    section.blocks.emplace_back(report::Warning{text, "not declared"});
  if (!judged.comparison.recorded) section.blocks.emplace_back(report::Warning{look_not_counted, "look not recorded"});
  if (rows.empty())
    section.blocks.emplace_back(report::Paragraph{"An INVALID comparison has no estimates."});
  else
    section.blocks.emplace_back(evidence_facts(judged.verdict, rows, effects, replication));
  return {.section = std::move(section),
          .data = {{"claims", rows_json(rows)},
                   {"effects", effects_document(effects)},
                   {"replication", replication_json(replication)}}};
}

}  // namespace retrial::harness::inline judge::inline verdict
