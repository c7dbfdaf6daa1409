#include <algorithm>
#include <cmath>

#include "harness/scores_report/material.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores_report {
namespace {

using report::Series;

/// Rows of the figure: both groups, below them the difference.
constexpr double baseline_row = 3, candidate_row = 2, difference_row = 1;

/// The runs of a group are side by side around its row: run i of n at the i-th of nine heights, so that equal scores do
/// not hide each other and the same data give the same picture.
Series group_of(const std::vector<std::vector<double>>& tasks, double row, std::size_t style) {
  constexpr int heights = 9;
  Series out = series_style(style, report::Draw::points);
  std::vector<double> all;
  for (const auto& task : tasks) all.insert(all.end(), task.begin(), task.end());
  std::ranges::sort(all);
  const std::size_t step = all.size() / (report::max_marks / 2) + 1;
  for (std::size_t i = 0; i < all.size(); i += step) {
    const int height = static_cast<int>(i / step * 4) % heights - heights / 2;
    out.points.push_back({.x = all[i], .y = row + 0.06 * height});
  }
  return out;
}

/// Mean, with a bar of its interval.
Series mean_of(const variance::Estimate& estimate, double row, std::size_t style) {
  Series out = series_style(style, report::Draw::interval);
  out.colour = report::Colour::black;
  out.points = {{.x = estimate.point,
                 .y = row,
                 .low = estimate.low.value_or(estimate.point),
                 .high = estimate.high.value_or(estimate.point)}};
  return out;
}

const VariantAggregate& aggregate_of(const AggregateReport& report, const std::string& variant) {
  return *std::ranges::find(report.variants, variant, &VariantAggregate::variant);
}

report::Table data_of(const AggregateReport& means, const AggregateDifference& d) {
  report::Table out{.columns = {{""}, {"mean", true}, {"low", true}, {"high", true}}};
  const auto add = [&](const std::string& name, const variance::Estimate& e) {
    out.rows.push_back({name, short_text(e.point), or_dash(e.low), or_dash(e.high)});
  };
  add(d.baseline, *aggregate_of(means, d.baseline).estimate);
  add(d.candidate, *aggregate_of(means, d.candidate).estimate);
  add(d.candidate + " - " + d.baseline, d.estimate);
  return out;
}

}  // namespace

report::Part estimation_part(const ScoresMaterial& material) {
  const auto& means = *std::ranges::find(material.aggregates, std::string("mean"), &AggregateReport::aggregate);
  if (means.differences.size() != 1) return {.section = std::nullopt, .data = Json::object()};
  const AggregateDifference& d = means.differences.front();
  const auto place = [&](const std::string& variant) {
    return static_cast<std::size_t>(std::ranges::find(material.all.names, variant) - material.all.names.begin());
  };
  const auto &before = material.all.scores[place(d.baseline)].tasks,
             &after = material.all.scores[place(d.candidate)].tasks;
  const auto& base = *aggregate_of(means, d.baseline).estimate;
  report::Figure figure{.title = "Both groups and their difference",
                        .description = "Small symbols are runs; those with a bar are means over tasks and their " +
                                       percent(1 - means.alpha) +
                                       " intervals. The difference of the means starts at the mean of " + d.baseline +
                                       " (line): where its bar misses the line, the interval does not contain 0.",
                        .data = data_of(means, d),
                        .open = true};
  const std::size_t first = place_in_report(material, d.baseline), second = place_in_report(material, d.candidate);
  variance::Estimate shifted = d.estimate;
  shifted.point += base.point;
  if (shifted.low) *shifted.low += base.point;
  if (shifted.high) *shifted.high += base.point;
  std::vector<double> values{shifted.point, shifted.low.value_or(shifted.point), shifted.high.value_or(shifted.point)};
  for (const auto* tasks : {&before, &after})
    for (const auto& task : *tasks) values.insert(values.end(), task.begin(), task.end());
  figure.plot.x = axis_over(material.scale, values);
  figure.plot.y = {.low = 0.4,
                   .high = 3.6,
                   .tics = {{baseline_row, d.baseline}, {candidate_row, d.candidate}, {difference_row, "difference"}}};
  figure.plot.height = 260;
  figure.plot.series = {vertical("", base.point, figure.plot.y, report::Dash::solid),
                        group_of(before, baseline_row, first),
                        group_of(after, candidate_row, second),
                        mean_of(base, baseline_row, first),
                        mean_of(*aggregate_of(means, d.candidate).estimate, candidate_row, second),
                        mean_of(shifted, difference_row, second)};
  return {.section = report::Section{.id = "estimation", .title = "The two variants", .blocks = {std::move(figure)}},
          .data = Json::object()};
}

}  // namespace retrial::harness::inline scores_report
