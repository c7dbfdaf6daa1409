#include <algorithm>
#include <array>
#include <limits>

#include "results/report/figures.hpp"
#include "workloads/pipeline/analysis/schedule.hpp"

namespace retrial::pipeline::inline analysis {

Json passes_json(const Simulation& simulation) {
  Json stages = Json::array();
  for (const auto& stage : simulation.stages) {
    Json& entries = stages.emplace_back(Json::array());
    for (const auto& [entry, start, end] : stage) entries.push_back({entry.text(), start, end});
  }
  return stages;
}

std::string chrome_trace(const Simulation& simulation) {
  Json events = Json::array();
  for (std::size_t s = 0; s < simulation.stages.size(); ++s) {
    events.push_back({{"name", "thread_name"},
                      {"ph", "M"},
                      {"pid", 0},
                      {"tid", s},
                      {"args", {{"name", "stage " + std::to_string(s)}}}});
    for (const auto& [entry, start, end] : simulation.stages[s])
      events.push_back({{"name", entry.text()},
                        {"cat", std::string(1, static_cast<char>(entry.pass))},
                        {"ph", "X"},
                        {"ts", start},
                        {"dur", end - start},
                        {"pid", 0},
                        {"tid", s}});
  }
  return results::printed({{"traceEvents", std::move(events)}});
}

report::Figure timeline_figure(const std::string& title, const std::string& description, const Simulation& simulation) {
  const auto S = simulation.stages.size();
  report::Figure figure{
      .title = title,
      .description = description,
      .plot = {.x = {.label = "step", .low = 0, .high = simulation.makespan, .tics = {}, .whole = true},
               .y = {},
               .series = {},
               .height = 90 + static_cast<int>(std::min<std::size_t>(600, 18 * S))}};
  const auto series = [](const char* label, report::Colour colour, report::Dash dash) {
    return report::Series{
        .label = label, .draw = report::Draw::lines, .colour = colour, .dash = dash, .width = 6, .points = {}};
  };
  std::array passes{series("forward", report::Colour::blue, report::Dash::solid),
                    series("backward", report::Colour::vermillion, report::Dash::dotted),
                    series("weight gradient", report::Colour::green, report::Dash::dashed)};
  for (std::size_t s = 0; s < S; ++s) {
    const double height = static_cast<double>(S - s);
    if (S <= 32) figure.plot.y.tics.push_back({height, "stage " + std::to_string(s)});
    for (const auto& [entry, start, end] : simulation.stages[s]) {
      auto& points = passes[entry.pass == Pass::forward ? 0 : entry.pass == Pass::backward ? 1 : 2].points;
      const double gap = .1 * (end - start);
      points.push_back({.x = start + gap, .y = height});
      points.push_back({.x = end - gap, .y = height});
      points.push_back({.x = std::numeric_limits<double>::quiet_NaN()});
    }
  }
  figure.plot.y.low = .4, figure.plot.y.high = static_cast<double>(S) + .6;
  for (report::Series& each : passes)
    if (!each.points.empty()) figure.plot.series.push_back(std::move(each));
  return figure;
}

std::string timeline_svg(const Simulation& simulation) {
  const report::Figure figure =
      timeline_figure("Schedule", "Passes of each stage; a gap is an idle stage.", simulation);
  return report::svg_of(figure.plot,
                        {.id = "timeline", .css = "figure", .title = figure.title, .description = figure.description});
}

}  // namespace retrial::pipeline::inline analysis
