#include <algorithm>
#include <cmath>

#include "harness/judge/verdict/verdict_words.hpp"
#include "harness/study_report/material/footnotes.hpp"
#include "harness/study_report/parts/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/many/multiplicity.hpp"
#include "variance/means/paired.hpp"
#include "variance/samples/summary.hpp"
#include "variance/verdict/complete_pairs.hpp"

/// A study of three or more variants: every other variant compared with the baseline, and with the candidate, each as
/// one family of claims with a joint error rate.
namespace retrial::harness::inline study_report::inline parts {
namespace {

using report::Figure;
using report::Series;

/// One variant, compared with the reference.
struct Member {
  std::string variant;
  std::int64_t pairs = 0, left_out = 0;
  variance::Estimate difference;  ///< variant - reference; its level is joint for all members
  std::optional<double> p;        ///< two-sided, for this claim alone; absent: the differences do not vary
  double p_holm = 1;
  report::Cell word;
};

struct Family {
  std::string reference;
  results::MetricDef metric;
  double alpha = 0;
  std::optional<double> margin;
  std::vector<Member> members;
  std::vector<std::string> dead;    ///< left out: their seeds change nothing
  std::vector<std::string> edited;  ///< left out: their programs were edited between their runs
};

std::optional<Member> member_of(const std::string& variant, const Comparison& comparison, double alpha) {
  const auto pairs = variance::complete_pairs(comparison.scores);
  const auto test = variance::paired_t(pairs.difference, {.alpha = alpha});
  if (!test) return {};
  return Member{.variant = variant,
                .pairs = static_cast<std::int64_t>(pairs.difference.size()),
                .left_out = pairs.left_out,
                .difference = test->mean,
                .p = test->degenerate ? std::nullopt : std::optional(test->p_two),
                .word = ""};
}

report::Cell member_word(const Member& member, const Family& family) {
  const double sign = family.metric.direction == results::Direction::lower ? -1 : 1;
  if (member.p && member.p_holm <= family.alpha)
    return member.difference.point * sign > 0 ? report::Cell("better", report::Tone::good)
                                              : report::Cell("worse", report::Tone::bad);
  const auto &low = member.difference.low, &high = member.difference.high;
  if (family.margin && low && high && *low > -*family.margin && *high < *family.margin)
    return {"equivalent", report::Tone::settled};
  return {"not settled", report::Tone::open};
}

void adjust(Family& family) {
  std::vector<double> p;
  for (const auto& member : family.members) p.push_back(member.p.value_or(1));
  const auto holm = variance::adjusted(p, variance::Adjustment::holm);
  for (std::size_t i = 0; i < holm.size(); ++i) {
    family.members[i].p_holm = holm[i];
    family.members[i].word = member_word(family.members[i], family);
  }
}

Family compared_with(const Material& material, const std::string& reference) {
  const auto& judged = material.judgement->comparison;
  Family out{.reference = reference,
             .metric = judged.metric,
             .alpha = judged.design.alpha,
             .margin = judged.design.margin,
             .members = {},
             .dead = {},
             .edited = {}};
  const auto variants = judged_variants(material.study);
  const double share = out.alpha / static_cast<double>(variants.size() - 1);
  for (const auto& variant : variants) {
    if (variant.name == reference) continue;
    const auto comparison =
        read_comparison(material.store, material.study, material.trials,
                        {.metric = judged.metric.name, .baseline = reference, .candidate = variant.name});
    if (comparison.violation == variance::InvalidReason::dead_source)
      out.dead.push_back(variant.name);
    else if (comparison.violation == variance::InvalidReason::program_changed)
      out.edited.push_back(variant.name);
    else if (auto member = member_of(variant.name, comparison, share))
      out.members.push_back(std::move(*member));
  }
  adjust(out);
  return out;
}

std::string joint_level(const Family& family) {
  return percent(1 - family.alpha);
}

std::string caption_of(const Family& family) {
  return "Mean paired difference from " + family.reference + ", in study order. The intervals are joint at " +
         joint_level(family) + " (paired t, Bonferroni over " + std::to_string(family.members.size()) +
         "); p: two-sided paired t, and adjusted by Holm 1979. better, worse: the adjusted p is at most " +
         short_text(family.alpha) +
         (family.margin ? "; equivalent: the interval is within the margin of " + short_text(*family.margin) : "") +
         "." + (family.dead.empty() ? "" : " Left out (dead-source): " + results::joined(family.dead) + ".") +
         (family.edited.empty() ? "" : " Left out (program-changed): " + results::joined(family.edited) + ".");
}

report::Table members_table(const Family& family) {
  report::Table out{.caption = caption_of(family),
                    .columns = {{"variant"},
                                {"vs " + family.reference},
                                {"mean difference", true},
                                {"interval", true},
                                {"pairs", true},
                                {"left out", true},
                                {"p", true},
                                {"adjusted p", true}},
                    .rows = {}};
  for (const auto& m : family.members)
    out.rows.push_back({m.variant, m.word, signed_text(m.difference.point), interval_text(m.difference),
                        std::to_string(m.pairs), std::to_string(m.left_out), or_dash(m.p),
                        m.p ? or_dash(m.p_holm) : "-"});
  return out;
}

/// A variant that fell apart must not squeeze all others onto the zero line: variants more than five times as far out
/// as the median are named below the figure instead.
std::vector<Member> drawn(const Family& family) {
  std::vector<double> distances;
  for (const auto& m : family.members) distances.push_back(std::fabs(m.difference.point));
  const double limit = 5 * variance::median(distances).value_or(0);
  std::vector<Member> out;
  for (const auto& m : family.members)
    if (limit == 0 || std::fabs(m.difference.point) <= limit) out.push_back(m);
  return out;
}

std::string left_out_text(const Family& family, const std::vector<Member>& members) {
  std::vector<std::string> names;
  for (const auto& m : family.members)
    if (std::ranges::find(members, m.variant, &Member::variant) == members.end()) names.push_back(m.variant);
  return names.empty() ? "" : " Off scale: " + results::joined(names) + ".";
}

report::Axis differences_axis(const Family& family, const std::vector<Member>& members) {
  std::vector<double> ends{0};
  for (const auto& m : members)
    for (const auto& end : {std::optional(m.difference.point), m.difference.low, m.difference.high})
      if (end) ends.push_back(*end);
  return axis_over(
      with_unit(family.metric.name + ", difference from " + family.reference, difference_unit(family.metric.unit)),
      ends);
}

/// Largest difference first, so that the order is informative.
Figure forest_of(const Family& family) {
  auto members = drawn(family);
  std::stable_sort(members.begin(), members.end(),
                   [](const auto& a, const auto& b) { return a.difference.point > b.difference.point; });
  const double top = static_cast<double>(members.size()) + 0.7;
  Figure out{.title = "Every variant vs " + family.reference,
             .description = "Each point is a mean difference over the pairs, each bar its interval, joint at " +
                            joint_level(family) + ". A bar that excludes 0 (solid line) shows a difference." +
                            left_out_text(family, members),
             .plot = {.x = differences_axis(family, members),
                      .y = {.label = "", .low = 0.3, .high = top, .tics = {}},
                      .series = {},
                      .height = 110 + 26 * static_cast<int>(members.size())},
             .data = members_table(family),
             .open = true,
             .svg = ""};
  out.plot.series.push_back(vertical("no difference", 0, out.plot.y, report::Dash::solid));
  if (family.margin) {
    out.plot.series.push_back(vertical("margin", *family.margin, out.plot.y, report::Dash::dashed));
    out.plot.series.push_back(vertical("", -*family.margin, out.plot.y, report::Dash::dashed));
  }
  Series points{.draw = report::Draw::interval, .colour = report::Colour::blue, .width = 2, .points = {}};
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto& e = members[i].difference;
    const double y = static_cast<double>(members.size() - i);
    points.points.push_back({.x = e.point, .y = y, .low = e.low.value_or(e.point), .high = e.high.value_or(e.point)});
    out.plot.y.tics.push_back({y, members[i].variant});
  }
  out.plot.series.push_back(std::move(points));
  return out;
}

Json members_json(const Family& family) {
  Json rows = Json::array();
  for (const auto& m : family.members)
    rows.push_back({{"variant", m.variant},
                    {"word", std::string(m.word)},
                    {"mean_difference", derived(m.difference.point)},
                    {"low", derived(m.difference.low)},
                    {"high", derived(m.difference.high)},
                    {"level", derived(m.difference.level)},
                    {"pairs", m.pairs},
                    {"left_out", m.left_out},
                    {"p_two", derived(m.p)},
                    {"p_holm", m.p ? derived(m.p_holm) : Json()}});
  return {{"reference", family.reference}, {"alpha", derived(family.alpha)}, {"members", rows}};
}

/// Only a finished plan has these bars: the pairs of a sequential design stop where two variants decided.
bool has_family(const Material& material) {
  return material.decided() && !material.judgement->verdict.sequential && judged_variants(material.study).size() > 2;
}

}  // namespace

Part family_part(const Material& material) {
  if (!has_family(material)) return {.section = std::nullopt, .data = Json::object()};
  report::Section section{.id = "variants", .title = "Every variant", .blocks = {}};
  Json data = Json::array();
  const auto& design = material.judgement->verdict.design;
  for (const auto& reference : {design.baseline, design.candidate}) {
    const Family family = compared_with(material, reference);
    if (family.members.empty()) continue;
    section.blocks.push_back(forest_of(family));
    data.push_back(members_json(family));
  }
  if (section.blocks.empty()) return {.section = std::nullopt, .data = {{"families", data}}};
  section.blocks.push_back(footnotes_of({"paired_t"}));
  return {.section = std::move(section), .data = {{"families", data}}};
}

}  // namespace retrial::harness::inline study_report::inline parts
