#include "harness/judge/design_sentences.hpp"
#include "harness/judge/verdict_document.hpp"
#include "harness/judge/verdict_words.hpp"
#include "harness/study_report/footnotes.hpp"
#include "harness/study_report/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "variance/designs/design_family.hpp"

namespace retrial::harness::inline study_report {
namespace {

using report::Fact;
using report::Facts;
using report::Figure;
using report::Paragraph;
using report::Series;
using report::Table;
using variance::Estimate;
using variance::Verdict;

/// One line of the table of claims.
struct Claim {
  std::string what, unit;
  Estimate estimate;
  std::int64_t n = 0;
  bool chance = false;      ///< a probability, not a difference
  bool counts = false;      ///< wins, ties and losses belong to it
  std::optional<double> p;  ///< of the test named in `test`
  std::string test;
  std::string_view row;  ///< what the tables of tests call it; empty: an estimate alone
  std::string why = {};  ///< there is no interval; empty: the method of the estimate says it
};

std::string wins_of(const Verdict& v) {
  return "P(" + v.design.candidate + " beats " + v.design.baseline + ")";
}

/// One look at a fixed number of pairs is what the tests of the claims above are for.
void replace_tests(std::vector<Claim>& claims, const Verdict& v) {
  for (auto& claim : claims) {
    claim.p = std::nullopt;
    claim.test.clear();
    claim.row = {};
  }
  const bool wins = v.sequential && variance::family_of(v.design).data == variance::SequentialData::wins;
  Claim& judged = wins ? claims.front() : claims.back();
  judged.p = v.sequential ? v.sequential->always_valid_p : v.test->p;
  judged.row = v.sequential ? variance::rule_of(v.design) : v.test->test;
  judged.test = v.sequential ? "family " + v.design.family + ", for BETTER, at every look" : "test " + v.test->test;
}

std::vector<Claim> claims_of(const Judgement& j) {
  const Verdict& v = j.verdict;
  const bool worse = v.status == variance::Status::worse;
  std::vector<Claim> out{
      {.what = wins_of(v) + ", same seeds",
       .unit = "",
       .estimate = v.paired_p,
       .n = v.counts.pairs(),
       .chance = true,
       .counts = true,
       .p = worse ? v.p_worse : v.p_better,
       .test = worse ? "exact sign test, one-sided for WORSE" : "exact sign test, one-sided for BETTER",
       .row = "pab_exact"}};
  if (v.unpaired)
    out.push_back({.what = wins_of(v) + ", independent seeds",
                   .unit = "",
                   .estimate = v.unpaired->interval,
                   .n = v.counts.pairs(),
                   .chance = true,
                   .p = std::nullopt,
                   .test = "",
                   .row = {}});
  if (const auto difference = mean_difference(v, j.comparison.scores)) {
    const bool tested = difference->why.empty();
    out.push_back({.what = "mean difference, " + v.design.candidate + " - " + v.design.baseline,
                   .unit = difference_unit(j.comparison.metric.unit),
                   .estimate = difference->estimate,
                   .n = v.complete_pairs,
                   .p = tested ? std::optional(v.difference->p_two) : std::nullopt,
                   .test = tested ? "two-sided paired t test of the mean" : "",
                   .row = tested ? "paired_t" : "",
                   .why = difference->why});
  }
  if (v.sequential || v.test) replace_tests(out, v);
  if (v.equivalence)
    out.push_back({.what = "difference within the margin of " + or_dash(v.design.margin),
                   .unit = difference_unit(j.comparison.metric.unit),
                   .estimate = v.equivalence->difference,
                   .n = v.complete_pairs,
                   .p = v.equivalence->test.p(),
                   .test = "two one-sided t tests of the margin",
                   .row = "tost"});
  return out;
}

Table footnotes(const std::vector<Claim>& claims) {
  std::vector<std::string_view> rows;
  for (const auto& claim : claims)
    if (!claim.row.empty()) rows.push_back(claim.row);
  return footnotes_of(rows);
}

/// Which test each p comes from, said once.
std::string claims_caption(const std::vector<Claim>& claims) {
  std::string out = std::string("Claims. Only the ") + (claims.front().p ? "first" : "one with a p") +
                    " decides; the others say how large the difference is. p: ";
  bool first = true;
  for (const auto& claim : claims) {
    if (claim.test.empty()) continue;
    out += (first ? "" : "; ") + claim.test;
    first = false;
  }
  return out + ". n: pairs, or runs of each variant.";
}

Table claims_table(const std::vector<Claim>& claims, const Verdict& v) {
  Table out{.caption = claims_caption(claims),
            .columns = {{"claim"},
                        {"estimate", true},
                        {"interval", true},
                        {"level and method"},
                        {"n", true},
                        {"wins / ties / losses", true},
                        {"p", true}},
            .rows = {}};
  const std::string counts =
      std::to_string(v.counts.wins) + " / " + std::to_string(v.counts.ties) + " / " + std::to_string(v.counts.losses);
  for (const auto& claim : claims) {
    const auto& point = claim.estimate.point;
    out.rows.push_back(
        {claim.what,
         claim.chance ? short_text(point) : signed_text(point) + (claim.unit.empty() ? "" : " " + claim.unit),
         claim.why.empty() ? interval_text(claim.estimate) : claim.why,
         claim.why.empty() ? percent(claim.estimate.level) + ", " + claim.estimate.method : "", std::to_string(claim.n),
         claim.counts ? counts : "", or_dash(claim.p)});
  }
  return out;
}

Json claims_json(const std::vector<Claim>& claims) {
  Json out = Json::array();
  for (const auto& claim : claims)
    out.push_back({{"claim", claim.what},
                   {"unit", claim.unit},
                   {"estimate", derived(claim.estimate.point)},
                   {"low", derived(claim.estimate.low)},
                   {"high", derived(claim.estimate.high)},
                   {"level", derived(claim.estimate.level)},
                   {"method", claim.why.empty() ? claim.estimate.method : claim.why},
                   {"n", claim.n},
                   {"p", derived(claim.p)},
                   {"test", claim.test},
                   {"row", claim.row.empty() ? Json(nullptr) : Json(claim.row)}});
  return out;
}

/// The two probabilities with their intervals, on one scale with what counts as equal and as meaningful.
Figure forest(const std::vector<Claim>& claims, const Verdict& v) {
  Figure out{
      .title = wins_of(v) + " with its interval",
      .description = "Each point is an estimate, each bar its " + percent(1 - v.design.alpha) +
                     " interval. At 0.5 (solid line) the two are equal; at " + short_text(v.design.gamma) +
                     " (dashed) lies the least advantage that the design calls meaningful.",
      .plot = {.x = {.label = wins_of(v), .low = 0, .high = 1, .tics = {}},
               .y = {.label = "", .low = 0.3, .high = 2.7, .tics = {}},
               .series = {},
               .height = 200},
      .data = {.caption = "", .columns = {{"claim"}, {"estimate", true}, {"low", true}, {"high", true}}, .rows = {}},
      .svg = ""};
  out.plot.series = {vertical("equal", 0.5, out.plot.y, report::Dash::solid),
                     vertical("meaningful", v.design.gamma, out.plot.y, report::Dash::dashed)};
  Series points{.draw = report::Draw::interval, .colour = report::Colour::blue, .width = 2, .points = {}};
  for (std::size_t i = 0; i < claims.size() && i < 2; ++i) {
    const auto& e = claims[i].estimate;
    if (!claims[i].chance) break;
    const double y = 2.0 - static_cast<double>(i);
    points.points.push_back({.x = e.point, .y = y, .low = e.low.value_or(e.point), .high = e.high.value_or(e.point)});
    out.plot.y.tics.push_back({y, i == 0 ? "same seeds" : "independent seeds"});
    out.data.rows.push_back({claims[i].what, short_text(e.point), or_dash(e.low), or_dash(e.high)});
  }
  out.plot.series.push_back(points);
  return out;
}

Facts declared_facts(const Material& material) {
  const Verdict& v = material.judgement->verdict;
  Facts out{{{"rule", design_words(v.design)}, {"stops", boundary_words(v.design)}}};
  if (v.sequential) {
    out.rows.push_back({"guarantee", std::string(variance::family_of(v.design).guarantee)});
    out.rows.push_back({"pairs judged", std::to_string(v.sequential->at_n)});
    if (v.sequential->at_half) {
      out.rows.push_back(
          {"false-positive rate", percent(v.planned.size) + ": so often two equal variants are called BETTER"});
      out.rows.push_back({"power", percent(v.planned.power) + ": so often a candidate that wins " +
                                       percent(v.design.levels().gamma) + " of the pairs is called BETTER"});
    }
  }
  out.rows.push_back({"failed trials", failure_text(v.design.failure)});
  out.rows.push_back({"varied", names_or_nothing(material.study.vary)});
  out.rows.push_back({"held", names_or_nothing(material.study.hold)});
  return out;
}

Facts design_facts(const Material& material) {
  const Verdict& v = material.judgement->verdict;
  if (v.sequential || v.design.test != "pab_exact") return declared_facts(material);
  const std::string unit = difference_unit(material.judgement->comparison.metric.unit);
  Facts out{{{"rule", "pab_exact with a fixed number of pairs: alpha " + short_text(v.design.alpha) + ", beta " +
                          short_text(v.design.beta) + ", gamma " + short_text(v.design.gamma)},
             {"pairs declared", std::to_string(v.design.pairs)},
             {"BETTER takes", needed_text(v.planned)}}};
  if (v.applied.pairs != v.planned.pairs)
    out.rows.push_back({"without ties and pairs left out", needed_text(v.applied)});
  if (v.design.margin)
    out.rows.push_back({"margin of equivalence", short_text(*v.design.margin) + (unit.empty() ? "" : " " + unit)});
  const std::vector<Fact> rest{
      {"false-positive rate", percent(v.planned.size) + ": so often two equal variants are called BETTER"},
      {"power", percent(v.planned.power) + ": so often a candidate that wins " + percent(v.design.gamma) +
                    " of the pairs is called BETTER"},
      {"failed trials", failure_text(v.design.failure)},
      {"varied", names_or_nothing(material.study.vary)},
      {"held", names_or_nothing(material.study.hold)}};
  out.rows.insert(out.rows.end(), rest.begin(), rest.end());
  return out;
}

report::Section section_of(const Material& material, const std::vector<Claim>& claims) {
  const Judgement& j = *material.judgement;
  report::Section out{.id = "evidence", .title = "Evidence", .blocks = {}};
  for (const auto& text : j.comparison.undeclared) out.blocks.push_back(report::Warning{"not declared: " + text});
  if (material.decided()) {
    out.blocks.push_back(claims_table(claims, j.verdict));
    out.blocks.push_back(forest(claims, j.verdict));
    out.blocks.push_back(footnotes(claims));
  } else {
    out.blocks.push_back(
        Paragraph{"An INVALID comparison has no estimates. The raw values of every pair stand below."});
  }
  out.blocks.push_back(Paragraph{j.comparison.undeclared.empty() ? "The design, declared before the first run:"
                                                                 : "The design, which is not what was declared:"});
  out.blocks.push_back(design_facts(material));
  for (const auto& warning : j.verdict.warnings) out.blocks.push_back(report::Warning{warning});
  return out;
}

}  // namespace

Part evidence_part(const Material& material) {
  if (!material.judgement) return {.section = std::nullopt, .data = {{"verdict", nullptr}, {"claims", Json::array()}}};
  const Judgement& j = *material.judgement;
  const auto claims = material.decided() ? claims_of(j) : std::vector<Claim>{};
  const Json verdict = verdict_document({.study = material.study, .comparison = j.comparison, .verdict = j.verdict});
  return {.section = section_of(material, claims), .data = {{"verdict", verdict}, {"claims", claims_json(claims)}}};
}

}  // namespace retrial::harness::inline study_report
