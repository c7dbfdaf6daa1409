#include <array>

#include "harness/scores_report/material.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"

namespace retrial::harness::inline scores_report {

report::Series series_style(std::size_t i, report::Draw draw) {
  using report::Colour, report::Dash, report::Shape;
  constexpr std::array colours{Colour::blue, Colour::vermillion, Colour::green, Colour::black, Colour::grey};
  constexpr std::array dashes{Dash::solid, Dash::dashed, Dash::dotted};
  constexpr std::array shapes{Shape::circle, Shape::triangle, Shape::square, Shape::diamond};
  return {.draw = draw,
          .colour = colours[i % colours.size()],
          .shape = shapes[i % shapes.size()],
          .dash = draw == report::Draw::lines ? dashes[i % dashes.size()] : Dash::solid,
          .width = 2};
}

report::Figure interval_figure(std::string title, std::string description, std::string axis,
                               const std::vector<IntervalRow>& rows, std::optional<double> reference) {
  constexpr int around = 110, row_height = 34;
  report::Figure out{.title = std::move(title), .description = std::move(description), .open = true};
  out.data = {.columns = {{""}, {"estimate", true}, {"low", true}, {"high", true}, {"interval"}}};
  std::vector<double> values;
  if (reference) values.push_back(*reference);
  auto& plot = out.plot;
  plot.y = {.label = "", .low = 0.4, .high = static_cast<double>(rows.size()) + 0.6, .tics = {}};
  plot.height = around + row_height * static_cast<int>(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& e = rows[i].estimate;
    const double y = static_cast<double>(rows.size() - i), low = e.low.value_or(e.point),
                 high = e.high.value_or(e.point);
    report::Series series = series_style(rows[i].style, report::Draw::interval);
    series.points = {{.x = e.point, .y = y, .low = low, .high = high}};
    plot.series.push_back(std::move(series));
    plot.y.tics.push_back({y, rows[i].name});
    values.insert(values.end(), {e.point, low, high});
    out.data.rows.push_back(
        {rows[i].name, short_text(e.point), or_dash(e.low), or_dash(e.high), percent(e.level) + ", " + e.method});
  }
  plot.x = axis_over(std::move(axis), values);
  if (reference) plot.series.insert(plot.series.begin(), vertical("", *reference, plot.y, report::Dash::solid));
  return out;
}

}  // namespace retrial::harness::inline scores_report
