#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"
#include "workloads/pruning/report/excess.hpp"
#include "workloads/pruning/report/views.hpp"

namespace retrial::pruning {
namespace {

using report::Figure;
using report::Series;

struct Style {
  report::Colour colour;
  report::Dash dash;
  report::Shape shape;
};

Style style_of(std::size_t place) {
  using report::Colour, report::Dash, report::Shape;
  constexpr std::array colours{Colour::blue, Colour::vermillion, Colour::green, Colour::black};
  constexpr std::array dashes{Dash::solid, Dash::dashed, Dash::dotted};
  constexpr std::array shapes{Shape::circle, Shape::triangle, Shape::square, Shape::diamond};
  return {colours[place % colours.size()], dashes[place % dashes.size()], shapes[place % shapes.size()]};
}

/// The variants that one figure can show without overlap: the two compared ones and one more, in the order candidate,
/// others, baseline.
constexpr std::size_t max_variants = 3;

std::vector<const VariantCascades*> drawn_variants(const PruningStudy& study) {
  const std::string candidate = study.evidence.candidate.value_or("");
  std::vector<const VariantCascades*> out;
  for (const auto& variant : study.variants)
    if (!variant.runs.empty()) out.push_back(&variant);
  const auto rank = [&](const VariantCascades* v) {
    return v->variant == candidate ? 0 : v->variant == study.evidence.baseline ? 1 : 2;
  };
  std::stable_sort(out.begin(), out.end(), [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
  if (out.size() > max_variants) out.resize(max_variants);
  return out;
}

std::string left_out_text(const PruningStudy& study, const std::vector<const VariantCascades*>& shown) {
  std::vector<std::string> names;
  for (const auto& variant : study.variants)
    if (std::find(shown.begin(), shown.end(), &variant) == shown.end() && !variant.runs.empty())
      names.push_back(variant.variant);
  return names.empty() ? "" : " Only in the tables: " + results::joined(names) + ".";
}

/// Logarithmic, so that equal steps of a cascade are equal steps of the axis.
double place_of(double prune_ratio) {
  return std::log10(100 - prune_ratio);
}

report::Axis keep_axis(double lowest) {
  report::Axis axis{.label = "weights kept (%)", .low = 0, .high = 1, .tics = {}};
  axis.low = -2.03;  // 0 is all weights, on the left
  axis.high = -lowest + .03;
  for (const double keep : {100.0, 50.0, 20.0, 10.0, 5.0, 2.0, 1.0, .5, .2, .1})
    if (std::log10(keep) >= lowest - .02) axis.tics.push_back({-std::log10(keep), report::short_text(keep)});
  return axis;
}

Series seeds_of(const VariantCascades& variant, const Style& style) {
  Series out{.draw = report::Draw::lines, .colour = style.colour, .width = .7, .faint = true, .points = {}};
  for (const CascadeRun& run : variant.runs) {
    if (!out.points.empty()) out.points.push_back({.x = std::numeric_limits<double>::quiet_NaN()});
    for (const std::int64_t step : run.steps())
      out.points.push_back({.x = -place_of(run.series.at("pr_w").at(step)), .y = run.series.at("accuracy").at(step)});
  }
  return out;
}

Series mean_line(const VariantCascades& variant, const Style& style, double alpha) {
  Series out{.label = variant.variant + ", mean",
             .draw = report::Draw::lines,
             .colour = style.colour,
             .dash = style.dash,
             .width = 2.5,
             .points = {}};
  for (const auto& [step, ratio] : variant.ratios())
    if (const auto mean = variant.mean("accuracy", step, alpha))
      out.points.push_back({.x = -place_of(ratio), .y = mean->point});
  return out;
}

void add_accuracy_rows(const PruningStudy& study, const VariantCascades& variant, report::Table& to) {
  for (const auto& [step, ratio] : variant.ratios()) {
    const auto mean = variant.mean("accuracy", step, study.evidence.alpha);
    to.rows.push_back({variant.variant, report::short_text(ratio), std::to_string(variant.runs.size()),
                       point_text(mean), range_text(mean)});
  }
}

/// Distributions in the order of the first cascade's table, each once.
std::vector<std::string> recorded_distributions(const CascadeRun& run) {
  std::vector<std::string> out;
  for (const Json& row : run.potential.at("potential")) {
    const auto name = row.at("distribution").get<std::string>();
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  }
  return out;
}

/// Lines of one distribution are close together, those of different ones are separate.
double height_of(std::size_t rows, std::size_t row, std::size_t variants, std::size_t variant) {
  const double middle = static_cast<double>(rows - row),
               offset = .5 - (static_cast<double>(variant) + 1) / (static_cast<double>(variants) + 1);
  return middle + .7 * offset;
}

Series potentials_of(const PruningStudy& study, const VariantCascades& variant, const std::vector<std::string>& names,
                     std::size_t place, std::size_t variants, report::Table& data) {
  const Style style = style_of(place);
  Series out{.label = variant.variant,
             .draw = report::Draw::interval,
             .colour = style.colour,
             .shape = style.shape,
             .width = 2,
             .points = {}};
  for (std::size_t row = 0; row < names.size(); ++row) {
    const auto mean = variant.mean("potential_" + names[row] + "_max", study.evidence.alpha);
    if (!mean) continue;
    data.rows.push_back({variant.variant, names[row], point_text(mean), range_text(mean)});
    // Shares end at 0 and 100; Student's interval may exceed that.
    out.points.push_back({.x = mean->point,
                          .y = height_of(names.size(), row, variants, place),
                          .low = std::max(0.0, mean->low.value_or(mean->point)),
                          .high = std::min(100.0, mean->high.value_or(mean->point))});
  }
  return out;
}

Series excess_points(const VariantCascades& variant, const Style& style) {
  Series out{.draw = report::Draw::points, .colour = style.colour, .shape = style.shape, .points = {}};
  for (const CascadeRun& run : variant.runs) {
    const pruning::Cascade found = excess_of(run);
    for (std::size_t i = 0; i < found.e.size(); ++i) out.points.push_back({.x = 100 * found.pr[i], .y = found.e[i]});
  }
  return out;
}

/// The line through the origin and, with at least two pairs, its band.
void add_slope(const VariantCascades& variant, const Style& style, const variance::Estimate& slope, report::Plot& to) {
  if (slope.low && slope.high)
    to.series.push_back({.draw = report::Draw::band,
                         .colour = style.colour,
                         .points = {{.x = 0, .y = 0, .low = 0, .high = 0},
                                    {.x = 100, .y = slope.point, .low = *slope.low, .high = *slope.high}}});
  to.series.push_back({.label = variant.variant + ", slope " + report::short_text(slope.point),
                       .draw = report::Draw::lines,
                       .colour = style.colour,
                       .dash = style.dash,
                       .width = 2,
                       .points = {{.x = 0, .y = 0}, {.x = 100, .y = slope.point}}});
}

}  // namespace

std::vector<report::Block> accuracy_figures(const PruningStudy& study) {
  const auto shown = drawn_variants(study);
  std::vector<double> ys;
  double lowest = 2;
  Figure out{
      .title = "Accuracy along the cascades",
      .description = "Thin lines are single pairs (all of them); thick lines are means." + left_out_text(study, shown),
      .plot = {.x = {}, .y = {}, .series = {}},
      .data = {.caption = "",
               .columns =
                   {{"variant"}, {"PR %", true}, {"pairs", true}, {"accuracy %", true}, {interval_title(study), true}},
               .rows = {}},
      .svg = ""};
  for (std::size_t i = 0; i < shown.size(); ++i) {
    Series seeds = seeds_of(*shown[i], style_of(i));
    for (const auto& point : seeds.points) {
      if (std::isnan(point.x)) continue;
      ys.push_back(point.y);
      lowest = std::min(lowest, -point.x);
    }
    out.plot.series.push_back(std::move(seeds));
  }
  if (ys.empty()) return {};
  for (std::size_t i = 0; i < shown.size(); ++i)
    out.plot.series.push_back(mean_line(*shown[i], style_of(i), study.evidence.alpha));
  for (const auto& variant : study.variants) add_accuracy_rows(study, variant, out.data);
  out.plot.x = keep_axis(lowest);
  out.plot.y = report::axis_over("accuracy (%)", ys);
  return {std::move(out)};
}

std::vector<report::Block> potential_figures(const PruningStudy& study) {
  const auto shown = drawn_variants(study);
  if (shown.empty() || shown.front()->runs.front().potential.is_null()) return {};
  const auto names = recorded_distributions(shown.front()->runs.front());
  const auto rows = static_cast<double>(names.size());
  Figure out{.title = "Prune potential by distribution",
             .description =
                 "Symbols are means over pairs by the max rule, bars their intervals." + left_out_text(study, shown),
             .plot = {.x = {.label = "prune potential (% of weights)", .low = 0, .high = 101, .tics = {}},
                      .y = {.label = "", .low = .3, .high = rows + .7, .tics = {}},
                      .series = {},
                      .height = 110 + 34 * static_cast<int>(names.size())},
             .data = {.caption = "",
                      .columns = {{"variant"}, {"distribution"}, {"mean", true}, {interval_title(study), true}},
                      .rows = {}},
             .svg = ""};
  for (std::size_t row = 0; row < names.size(); ++row)
    out.plot.y.tics.push_back({rows - static_cast<double>(row), names[row]});
  for (std::size_t i = 0; i < shown.size(); ++i)
    out.plot.series.push_back(potentials_of(study, *shown[i], names, i, shown.size(), out.data));
  return {std::move(out)};
}

std::vector<report::Block> excess_figures(const PruningStudy& study) {
  const auto shown = drawn_variants(study);
  Figure out{.title = "Excess error",
             .description =
                 "Symbols are steps of single pairs; lines pass through the origin, and bands are intervals of their "
                 "slopes (bootstrap of whole cascades)." +
                 left_out_text(study, shown),
             .plot = {.x = {.label = "prune ratio (%)", .low = 0, .high = 100, .tics = {}}, .y = {}, .series = {}},
             .data = {.caption = "", .columns = {{"variant"}, {"PR %", true}, {"excess error (pp)", true}}, .rows = {}},
             .svg = ""};
  std::vector<double> ys{0};
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto slope = slope_of(*shown[i], study.evidence.alpha);
    if (!slope) continue;
    add_slope(*shown[i], style_of(i), *slope, out.plot);
    Series points = excess_points(*shown[i], style_of(i));
    for (const double end : {slope->point, slope->low.value_or(0), slope->high.value_or(0)}) ys.push_back(end);
    for (const auto& point : points.points) {
      ys.push_back(point.y);
      out.data.rows.push_back({shown[i]->variant, report::short_text(point.x), report::short_text(point.y)});
    }
    out.plot.series.push_back(std::move(points));
  }
  if (out.plot.series.empty()) return {};
  out.plot.y = report::axis_over("excess error (pp)", ys);
  return {std::move(out)};
}

}  // namespace retrial::pruning
