#include "harness/study_report/parts/slope.hpp"

#include <limits>

#include "harness/judge/verdict/verdict_words.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"

namespace retrial::harness::inline study_report::inline parts {
namespace {

using report::Series;

constexpr std::size_t max_lines = 200, few_lines = 40;
constexpr double at_baseline = 0, at_candidate = 1;

Series line_series(const std::string& label, PairOutcome outcome, report::Colour colour, report::Dash dash,
                   const std::vector<PairRow>& pairs) {
  Series out{.label = label,
             .draw = report::Draw::lines,
             .colour = colour,
             .dash = dash,
             .width = pairs.size() > few_lines ? 0.7 : 1.2,
             .points = {}};
  for (const auto& pair : pairs) {
    if (pair.outcome != outcome) continue;
    if (!out.points.empty()) out.points.push_back({.x = std::numeric_limits<double>::quiet_NaN()});
    out.points.push_back({.x = at_baseline, .y = *pair.baseline});
    out.points.push_back({.x = at_candidate, .y = *pair.candidate});
  }
  return out;
}

/// The line and its two ends.
std::vector<Series> mean_series(const std::vector<PairRow>& pairs) {
  double baseline = 0, candidate = 0;
  for (const auto& pair : pairs) {
    baseline += *pair.baseline / static_cast<double>(pairs.size());
    candidate += *pair.candidate / static_cast<double>(pairs.size());
  }
  const std::vector<report::Point> ends{{.x = at_baseline, .y = baseline}, {.x = at_candidate, .y = candidate}};
  return {{.label = "mean", .draw = report::Draw::lines, .width = 3, .points = ends},
          {.draw = report::Draw::points, .shape = report::Shape::square, .points = ends}};
}

std::vector<PairRow> complete(const std::vector<PairRow>& pairs) {
  std::vector<PairRow> out;
  for (const auto& pair : pairs)
    if (pair.difference()) out.push_back(pair);
  return out;
}

std::vector<PairRow> every(std::size_t step, const std::vector<PairRow>& pairs) {
  std::vector<PairRow> out;
  for (std::size_t i = 0; i < pairs.size(); i += step) out.push_back(pairs[i]);
  return out;
}

report::Plot plot_of(const Material& material, const std::vector<PairRow>& all, const std::vector<PairRow>& drawn) {
  constexpr double room = 0.4;  // for the names below
  const auto& [comparison, verdict, pairs] = *material.judgement;
  std::vector<double> values;
  for (const auto& pair : drawn) values.insert(values.end(), {*pair.baseline, *pair.candidate});
  report::Plot out{.x = {.label = "",
                         .low = at_baseline - room,
                         .high = at_candidate + room,
                         .tics = {{at_baseline, verdict.design.baseline}, {at_candidate, verdict.design.candidate}}},
                   .y = axis_over(with_unit(comparison.metric.name, comparison.metric.unit), values),
                   .series = {}};
  out.series = {line_series("win", PairOutcome::win, report::Colour::blue, report::Dash::solid, drawn),
                line_series("tie", PairOutcome::tie, report::Colour::grey, report::Dash::dotted, drawn),
                line_series("loss", PairOutcome::loss, report::Colour::vermillion, report::Dash::dashed, drawn)};
  std::erase_if(out.series, [](const Series& series) { return series.points.empty(); });
  if (material.decided())
    for (auto& series : mean_series(all)) out.series.push_back(std::move(series));
  return out;
}

}  // namespace

std::optional<report::Figure> slope_figure(const Material& material) {
  const auto pairs = complete(material.judgement->pairs);
  if (pairs.empty()) return {};
  const std::size_t step = (pairs.size() + max_lines - 1) / max_lines;
  const auto& [comparison, verdict, all] = *material.judgement;
  return report::Figure{
      .title = "Both values of each pair by " + comparison.metric.name + ", " +
               counted(static_cast<std::int64_t>(pairs.size()), "pair"),
      .description = "Each line joins the two runs of a pair, which share their seeds; it rises where " +
                     verdict.design.candidate + " has the larger value. For " + comparison.metric.name + ", " +
                     std::string(results::name_of(comparison.metric.direction)) + " is better." +
                     (material.decided() ? " The thick line joins the means." : "") +
                     (step > 1 ? " Every " + std::to_string(step) + "th pair is drawn." : "") +
                     " The numbers are in the table of the next figure.",
      .plot = plot_of(material, pairs, every(step, pairs)),
      .data = {},
      .svg = ""};
}

}  // namespace retrial::harness::inline study_report::inline parts
