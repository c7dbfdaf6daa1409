#include "harness/by_source/figures.hpp"

#include <algorithm>

#include "harness/by_source/words.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"

namespace retrial::harness::inline by_source {
namespace {

/// One line per label, the first at the top; the caller sets the horizontal axis and the symbols.
report::Figure figure_with_lines(std::string title, std::string description, const std::vector<std::string>& labels,
                                 std::vector<report::TableColumn> columns) {
  const auto lines = static_cast<double>(labels.size());
  report::Figure out{.title = std::move(title),
                     .description = std::move(description),
                     .plot = {.x = {},
                              .y = {.label = "", .low = 0, .high = lines + 1, .tics = {}},
                              .series = {},
                              .height = 120 + 32 * static_cast<int>(labels.size())},
                     .data = {.columns = std::move(columns)}};
  for (std::size_t i = 0; i < labels.size(); ++i)
    out.plot.y.tics.push_back({lines - static_cast<double>(i), labels[i]});
  return out;
}

std::string percent_or_dash(const std::optional<double>& share) {
  return share ? percent(*share) : "-";
}

}  // namespace

report::Figure share_figure(const SourceStudy& study, const VariantSources& variant) {
  const auto& shares = *variant.shares;
  std::vector<variance::SourceContribution> rows = shares.sources;
  if (shares.interaction) rows.push_back(*shares.interaction);
  if (shares.noise) rows.push_back(*shares.noise);
  std::vector<std::string> labels;
  double max_drawn = 100;
  for (const auto& row : rows) {
    labels.push_back(row.source);
    max_drawn = std::max({max_drawn, 100 * row.share.point, 100 * row.share.high.value_or(0)});
  }
  auto out = figure_with_lines(
      "Shares of the variance of " + study.metric.name + ", " + variant.variant + ", " + counted(variant.runs, "run"),
      "Each symbol is the share of one source, the bar its interval.", labels,
      {{"source"}, {"share", true}, {"low", true}, {"high", true}});
  // An interval that extends far beyond 100 % says no more than one that leaves the figure.
  constexpr double axis_end = 200;
  out.plot.x = {
      .label = "share of the variance (%)", .low = 0, .high = std::min(axis_end, max_drawn) * 1.02, .tics = {}};
  if (max_drawn > axis_end) out.description += " Intervals beyond 200 % end in an arrow.";
  report::Series with{.label = "", .draw = report::Draw::interval, .colour = report::Colour::blue, .points = {}};
  report::Series without{.label = "", .draw = report::Draw::points, .colour = report::Colour::grey, .points = {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& share = rows[i].share;
    const double y = out.plot.y.tics[i].at, x = std::min(100 * share.point, out.plot.x.high);
    if (share.low && share.high)
      with.points.push_back({.x = x, .y = y, .low = 100 * *share.low, .high = 100 * *share.high});
    else
      without.points.push_back({.x = x, .y = y});
    out.data.rows.push_back(
        {rows[i].source, percent(share.point), percent_or_dash(share.low), percent_or_dash(share.high)});
  }
  for (auto* series : {&with, &without})
    if (!series->points.empty()) out.plot.series.push_back(std::move(*series));
  return out;
}

report::Figure spread_figure(const SourceStudy& study, const VariantSources& variant) {
  constexpr std::size_t max_symbols = 1500;
  const bool groups = study.design.design != "oat";
  std::vector<double> all;
  std::vector<std::string> labels;
  for (const auto& row : variant.spread) {
    all.insert(all.end(), row.scores.begin(), row.scores.end());
    labels.push_back(row.label);
  }
  auto out = figure_with_lines(
      groups ? "Runs of each group, " + variant.variant : "Runs by varied source, " + variant.variant,
      groups ? "Each symbol is a run; the runs on one line share what was drawn once for the group."
             : "Each symbol is a run; the runs on one line differ in that source only. Those on the last line differ "
               "in nothing.",
      labels, {{groups ? "group" : "differs in"}, {"score", true}});
  out.plot.x = axis_over(with_unit(study.metric.name, study.metric.unit), all);
  report::Series runs{.label = "", .draw = report::Draw::points, .colour = report::Colour::blue, .points = {}};
  const std::size_t step = all.size() / max_symbols + 1;
  for (std::size_t i = 0; i < variant.spread.size(); ++i)
    for (std::size_t j = 0; j < variant.spread[i].scores.size(); j += step) {
      runs.points.push_back({.x = variant.spread[i].scores[j], .y = out.plot.y.tics[i].at});
      out.data.rows.push_back({labels[i], short_text(variant.spread[i].scores[j], 6)});
    }
  if (step > 1) out.description += " Every " + std::to_string(step) + "th run is drawn.";
  out.plot.series.push_back(std::move(runs));
  return out;
}

report::Figure group_figure(const SourceStudy& study, const VariantSources& variant) {
  const report::Table table = group_table(study, variant);
  std::vector<std::string> labels;
  for (const auto& row : table.rows) labels.push_back(row.front());
  auto out = figure_with_lines("Mean of each group, " + variant.variant,
                               "Each symbol is the mean of the runs of one group, the bar its interval.", labels,
                               {{"group"}, {"mean", true}, {"interval"}});
  std::vector<double> all;
  report::Series means{.label = "", .draw = report::Draw::interval, .colour = report::Colour::blue, .points = {}};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto& mean = variant.groups->groups[i].mean;
    const double low = mean.low.value_or(mean.point), high = mean.high.value_or(mean.point);
    means.points.push_back({.x = mean.point, .y = out.plot.y.tics[i].at, .low = low, .high = high});
    all.insert(all.end(), {low, high});
    out.data.rows.push_back({labels[i], table.rows[i][2], table.rows[i][3]});
  }
  out.plot.x = axis_over(with_unit(study.metric.name, study.metric.unit), all);
  out.plot.series.push_back(std::move(means));
  return out;
}

}  // namespace retrial::harness::inline by_source
