#include <algorithm>
#include <cmath>

#include "harness/by_source/page.hpp"
#include "harness/study_report/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline study_report {
namespace {

report::Table table_of(const SourceStudy& study, const VariantSources& variant) {
  report::Table out{.caption = variant.variant + ": " + design_sentence(study) +
                               ". A share is of the variance of one run with every source drawn anew.",
                    .columns = {{"source"},
                                {"sd", true},
                                {"share", true},
                                {"interval of the share"},
                                {"interval of the variance"},
                                {"runs", true}},
                    .rows = {}};
  for (const auto& line : source_lines(variant))
    out.rows.push_back({line.source, line.sd, line.share, line.interval, line.variance, line.runs});
  return out;
}

/// One row for each source: the share, and a bar over its interval.
report::Figure figure_of(const SourceStudy& study, const VariantSources& variant) {
  const auto& shares = *variant.shares;
  std::vector<variance::SourceContribution> rows = shares.sources;
  if (shares.interaction) rows.push_back(*shares.interaction);
  if (shares.noise) rows.push_back(*shares.noise);
  report::Figure out{.title = "Shares of the variance of " + study.metric.name + ", " + variant.variant + ", " +
                              counted(variant.runs, "run"),
                     .description = "Each symbol is the share of one source, the bar its interval.",
                     .plot = {.x = {.label = "share of the variance (%)", .low = 0, .high = 100, .tics = {}},
                              .y = {.label = "", .low = 0, .high = 1, .tics = {}},
                              .series = {}},
                     .data = {.caption = "",
                              .columns = {{"source"}, {"share (%)", true}, {"low (%)", true}, {"high (%)", true}},
                              .rows = {}},
                     .svg = ""};
  report::Series with{.label = "", .draw = report::Draw::interval, .colour = report::Colour::blue, .points = {}};
  report::Series without{.label = "", .draw = report::Draw::points, .colour = report::Colour::grey, .points = {}};
  double greatest = 100;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& share = rows[i].share;
    const double y = static_cast<double>(rows.size() - i), x = 100 * share.point;
    if (share.low && share.high)
      with.points.push_back({.x = x, .y = y, .low = 100 * *share.low, .high = 100 * *share.high});
    else
      without.points.push_back({.x = x, .y = y});
    greatest = std::max({greatest, x, share.high ? 100 * *share.high : 0.0});
    out.plot.y.tics.push_back({y, rows[i].source});
    out.data.rows.push_back({rows[i].source, short_text(x), share.low ? short_text(100 * *share.low) : "-",
                             share.high ? short_text(100 * *share.high) : "-"});
  }
  out.plot.y.high = static_cast<double>(rows.size()) + 1;
  // An interval that reaches far beyond the whole says no more than one that leaves the figure.
  constexpr double most = 200;
  out.plot.x.high = std::min(most, greatest) * 1.02;
  for (auto* series : {&with, &without})
    for (auto& point : series->points) point.x = std::min(point.x, out.plot.x.high);
  if (greatest > most) out.description += " Intervals that reach beyond 200 % end in an arrow there.";
  out.plot.height = 120 + 40 * static_cast<int>(rows.size());
  if (!with.points.empty()) out.plot.series.push_back(std::move(with));
  if (!without.points.empty()) out.plot.series.push_back(std::move(without));
  return out;
}

/// Every run as a symbol, one line for what it differs in. With many runs every k-th is drawn.
report::Figure spread_figure(const SourceStudy& study, const VariantSources& variant) {
  constexpr std::size_t most = 1500;
  std::vector<double> all;
  for (const auto& row : variant.spread) all.insert(all.end(), row.scores.begin(), row.scores.end());
  const std::size_t step = all.size() / most + 1;
  const bool groups = study.design.design != "oat";
  report::Figure out{
      .title = groups ? "Runs of each group, " + variant.variant : "Runs by what differs, " + variant.variant,
      .description = groups ? "Each symbol is a run; runs of one line share what was drawn once for the group."
                            : "Each symbol is a run; runs of one line differ in that source and in nothing "
                              "else; in the last line in nothing at all.",
      .plot = {.x = axis_over(with_unit(study.metric.name, study.metric.unit), all),
               .y = {.label = "", .low = 0, .high = static_cast<double>(variant.spread.size()) + 1, .tics = {}},
               .series = {},
               .height = 120 + 26 * static_cast<int>(variant.spread.size())},
      .data = {.caption = "", .columns = {{groups ? "group" : "differs in"}, {"score", true}}, .rows = {}},
      .svg = ""};
  report::Series runs{.label = "", .draw = report::Draw::points, .colour = report::Colour::blue, .points = {}};
  for (std::size_t i = 0; i < variant.spread.size(); ++i) {
    const double y = static_cast<double>(variant.spread.size() - i);
    out.plot.y.tics.push_back({y, variant.spread[i].label});
    for (std::size_t j = 0; j < variant.spread[i].scores.size(); j += step) {
      runs.points.push_back({.x = variant.spread[i].scores[j], .y = y});
      out.data.rows.push_back({variant.spread[i].label, short_text(variant.spread[i].scores[j], 6)});
    }
  }
  if (step > 1) out.description += " Every " + std::to_string(step) + "th run is drawn.";
  out.plot.series.push_back(std::move(runs));
  return out;
}

report::Table groups_table(const SourceStudy& study, const VariantSources& variant) {
  report::Table out{
      .caption = group_title(study) + ", " + variant.variant,
      .columns = {{"group"}, {"runs", true}, {"mean", true}, {"interval"}, {"effect", true}, {"interval"}},
      .rows = {}};
  for (const auto& line : group_lines(study, variant))
    out.rows.push_back({line.group, line.runs, line.mean, line.interval, line.effect, line.effect_interval});
  return out;
}

/// One line for each group: the mean of its runs, and a bar over its interval.
report::Figure groups_figure(const SourceStudy& study, const VariantSources& variant) {
  std::vector<double> all;
  report::Series means{.label = "", .draw = report::Draw::interval, .colour = report::Colour::blue, .points = {}};
  const auto lines = group_lines(study, variant);
  report::Figure out{.title = "Mean of each group, " + variant.variant,
                     .description = "Each symbol is the mean of the runs of one group, the bar its interval.",
                     .plot = {.x = {},
                              .y = {.label = "", .low = 0, .high = static_cast<double>(lines.size()) + 1, .tics = {}},
                              .series = {},
                              .height = 120 + 26 * static_cast<int>(lines.size())},
                     .data = {.caption = "", .columns = {{"group"}, {"mean", true}, {"interval"}}, .rows = {}},
                     .svg = ""};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& mean = variant.groups->groups[i].mean;
    const double y = static_cast<double>(lines.size() - i), low = mean.low.value_or(mean.point),
                 high = mean.high.value_or(mean.point);
    means.points.push_back({.x = mean.point, .y = y, .low = low, .high = high});
    all.insert(all.end(), {low, high});
    out.plot.y.tics.push_back({y, lines[i].group});
    out.data.rows.push_back({lines[i].group, lines[i].mean, lines[i].interval});
  }
  out.plot.x = axis_over(with_unit(study.metric.name, study.metric.unit), all);
  out.plot.series.push_back(std::move(means));
  return out;
}

void add_groups(const SourceStudy& study, const VariantSources& variant, report::Section& section) {
  section.blocks.push_back(groups_table(study, variant));
  section.blocks.push_back(groups_figure(study, variant));
  for (const auto& text : group_notes(study, variant)) section.blocks.push_back(report::Paragraph{text + "."});
}

void add_variant(const SourceStudy& study, const VariantSources& variant, report::Section& section) {
  if (variant.shares) {
    section.blocks.push_back(table_of(study, variant));
    if (const auto text = summary_sentence(variant); !text.empty()) section.blocks.push_back(report::Paragraph{text});
    if (variant.shares->total > 0.0) section.blocks.push_back(figure_of(study, variant));
  } else {
    section.blocks.push_back(report::Paragraph{variant.variant + ": " + design_sentence(study) + "; sd " +
                                               or_dash(variant.sd) + " over " + counted(variant.runs, "run") + "."});
  }
  constexpr std::size_t most_lines = 40;
  if (variant.spread.size() > 1 && variant.spread.size() <= most_lines)
    section.blocks.push_back(spread_figure(study, variant));
  if (variant.groups && variant.groups->groups.size() <= most_lines) add_groups(study, variant, section);
  for (const auto& text : source_notes(study, variant)) section.blocks.push_back(report::Paragraph{text + "."});
  for (const auto& text : estimator_notes(variant)) section.blocks.push_back(report::Paragraph{text + "."});
  for (const auto& claim : variant.claims)
    if (claim.valid)
      section.blocks.push_back(report::Paragraph{claim_text(claim) + "."});
    else
      section.blocks.push_back(report::Warning{claim_text(claim) + "."});
}

}  // namespace

Part sources_part(const Material& material) {
  if (!material.study.variance || !material.finished) return {.section = std::nullopt, .data = Json::object()};
  try {
    const auto study = read_sources(material.store, material.study, material.trials, {});
    report::Section section{
        .id = "sources", .title = "Where the variance of " + study.metric.name + " comes from", .blocks = {}};
    for (const auto& variant : study.variants) add_variant(study, variant, section);
    for (const auto& text : difference_notes(study)) section.blocks.push_back(report::Paragraph{text + "."});
    return {.section = std::move(section), .data = {{"sources", source_document(study, {})}}};
  } catch (const Error& error) {
    if (error.text.exit == Exit::integrity) throw;
    report::Section section{.id = "sources", .title = "Where the variance comes from", .blocks = {}};
    section.blocks.push_back(report::Warning{error.text.problem + "."});
    return {.section = std::move(section), .data = {{"sources", nullptr}}};
  }
}

}  // namespace retrial::harness::inline study_report
