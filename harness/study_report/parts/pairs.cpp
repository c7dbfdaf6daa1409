#include <algorithm>
#include <cmath>

#include "harness/judge/verdict/verdict_words.hpp"
#include "harness/study_report/parts/parts.hpp"
#include "harness/study_report/parts/slope.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/report/column_text.hpp"

namespace retrial::harness::inline study_report::inline parts {
namespace {

using report::Figure;
using report::Series;

using Scores = std::vector<std::optional<double>>;

std::vector<std::string> texts_of(const Scores& values, const char* absent) {
  auto out = report::column_text(values);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!values[i]) out[i] = absent;
  return out;
}

report::Table pairs_table(const Judgement& j) {
  report::Table out{.caption = "",
                    .columns = {{"pair", true},
                                {j.verdict.design.baseline, true},
                                {j.verdict.design.candidate, true},
                                {"difference", true},
                                {"counts as"}},
                    .rows = {}};
  Scores values, differences;  // both variants of a pair have the same decimals
  for (const auto& row : j.pairs) {
    values.insert(values.end(), {row.baseline, row.candidate});
    differences.push_back(row.difference());
  }
  const auto scores = texts_of(values, "failed"), changes = texts_of(differences, "-");
  for (std::size_t i = 0; i < j.pairs.size(); ++i)
    out.rows.push_back({std::to_string(j.pairs[i].index), scores[2 * i], scores[2 * i + 1], changes[i],
                        std::string(name_of(j.pairs[i].outcome))});
  return out;
}

Json pairs_json(const Judgement& j) {
  Json out = Json::array();
  for (const auto& row : j.pairs)
    out.push_back({row.index, raw(row.baseline), raw(row.candidate), derived(row.difference()), name_of(row.outcome)});
  return out;
}

/// A pair, or a group of neighboring pairs.
struct Dot {
  double x = 0, y = 0, low = 0, high = 0;
  PairOutcome outcome = PairOutcome::tie;
};

std::vector<Dot> dots_of(const std::vector<PairRow>& pairs) {
  std::vector<Dot> out;
  for (const auto& row : pairs)
    if (const auto d = row.difference()) out.push_back({static_cast<double>(row.index), *d, *d, *d, row.outcome});
  return out;
}

/// Neighbours in plan order as their median, smallest and largest difference.
std::vector<Dot> grouped(const std::vector<Dot>& dots, std::size_t size) {
  std::vector<Dot> out;
  for (std::size_t at = 0; at < dots.size(); at += size) {
    std::vector<Dot> group(dots.begin() + static_cast<std::ptrdiff_t>(at),
                           dots.begin() + static_cast<std::ptrdiff_t>(std::min(at + size, dots.size())));
    std::sort(group.begin(), group.end(), [](const Dot& a, const Dot& b) { return a.y < b.y; });
    out.push_back({dots[at].x, group[group.size() / 2].y, group.front().y, group.back().y, PairOutcome::tie});
  }
  return out;
}

Series dots_series(const std::string& label, PairOutcome outcome, report::Colour colour, report::Shape shape,
                   const std::vector<Dot>& dots) {
  Series out{.label = label, .draw = report::Draw::points, .colour = colour, .shape = shape, .points = {}};
  for (const auto& dot : dots)
    if (dot.outcome == outcome) out.points.push_back({.x = dot.x, .y = dot.y});
  return out;
}

Series level(const std::string& label, double y, const report::Axis& x, report::Dash dash, report::Colour colour) {
  return {.label = label,
          .draw = report::Draw::lines,
          .colour = colour,
          .dash = dash,
          .width = 1.5,
          .points = {{.x = x.low, .y = y}, {.x = x.high, .y = y}}};
}

void add_mean(const Material& material, report::Plot& plot) {
  const auto& difference = material.judgement->verdict.difference;
  if (!material.decided() || !difference) return;
  const auto& mean = difference->mean;
  if (mean.low && mean.high)
    plot.series.push_back({.label = percent(mean.level) + " interval of the mean",
                           .draw = report::Draw::band,
                           .colour = report::Colour::green,
                           .points = {{.x = plot.x.low, .y = mean.point, .low = *mean.low, .high = *mean.high},
                                      {.x = plot.x.high, .y = mean.point, .low = *mean.low, .high = *mean.high}}});
  plot.series.push_back(level("mean", mean.point, plot.x, report::Dash::dashed, report::Colour::green));
}

/// The ends of the interval of the mean, which few pairs may put beyond every difference; at most as far again as the
/// differences reach, so that they stay apart.
void add_interval_ends(const Material& material, std::vector<double>& ys) {
  const auto& difference = material.judgement->verdict.difference;
  if (!material.decided() || !difference || !difference->mean.low || !difference->mean.high) return;
  const auto [least, greatest] = std::ranges::minmax(ys);
  const double room = greatest - least;
  ys.insert(ys.end(),
            {std::max(*difference->mean.low, least - room), std::min(*difference->mean.high, greatest + room)});
}

report::Plot plot_of(const Material& material, const std::vector<Dot>& dots, bool single) {
  const Judgement& j = *material.judgement;
  const auto& d = j.verdict.design;
  std::vector<double> xs, ys{0.0};
  for (const auto& dot : dots) {
    xs.push_back(dot.x);
    ys.insert(ys.end(), {dot.low, dot.high});
  }
  add_interval_ends(material, ys);
  report::Plot out{
      .x = axis_over("pair, in plan order", xs),
      .y = axis_over(with_unit(d.candidate + " - " + d.baseline, difference_unit(j.comparison.metric.unit)), ys),
      .series = {}};
  out.x.whole = true;
  add_mean(material, out);
  out.series.push_back(level("", 0, out.x, report::Dash::solid, report::Colour::grey));
  if (single) {
    out.series.push_back(dots_series("win", PairOutcome::win, report::Colour::blue, report::Shape::circle, dots));
    out.series.push_back(dots_series("tie", PairOutcome::tie, report::Colour::grey, report::Shape::square, dots));
    out.series.push_back(
        dots_series("loss", PairOutcome::loss, report::Colour::vermillion, report::Shape::triangle, dots));
  } else {
    Series range{.label = "min to max", .draw = report::Draw::band, .colour = report::Colour::blue, .points = {}};
    for (const auto& dot : dots) range.points.push_back({.x = dot.x, .y = dot.y, .low = dot.low, .high = dot.high});
    out.series.push_back(range);
    out.series.push_back(dots_series("median", PairOutcome::tie, report::Colour::blue, report::Shape::circle, dots));
  }
  std::erase_if(out.series, [](const Series& series) { return series.points.empty(); });
  return out;
}

Figure figure_of(const Material& material) {
  constexpr std::size_t room = report::max_marks - 10;  // the rest: lines of the mean and of zero
  const Judgement& j = *material.judgement;
  auto dots = dots_of(j.pairs);
  const auto shown = static_cast<std::int64_t>(dots.size());
  const std::size_t size = (dots.size() + room - 1) / room;
  if (size > 1) dots = grouped(dots, 10 * size);
  std::string description = "One symbol per pair; both runs of a pair share their seeds. Above zero " +
                            j.verdict.design.candidate + " has the larger value; " +
                            std::string(results::name_of(j.comparison.metric.direction)) + " is better.";
  if (size > 1)
    description = "Too many pairs for single symbols: each symbol is the median of " + std::to_string(10 * size) +
                  " neighbors in the plan, with their smallest and largest difference.";
  if (const auto missing = static_cast<std::int64_t>(j.pairs.size()) - shown; missing > 0)
    description += " " + counted(missing, "pair") + " without two finite values " + (missing == 1 ? "is" : "are") +
                   " in the table only.";
  return {.title = "Paired differences of " + j.comparison.metric.name + ", " + counted(shown, "pair"),
          .description = description,
          .plot = plot_of(material, dots, size <= 1),
          .data = pairs_table(j),
          .open = true,
          .svg = ""};
}

}  // namespace

Part pairs_part(const Material& material) {
  if (!material.judgement) return {.section = std::nullopt, .data = {{"pairs", Json::array()}}};
  report::Section section{.id = "pairs", .title = "Every pair", .blocks = {}};
  if (auto slopes = slope_figure(material)) section.blocks.push_back(std::move(*slopes));
  section.blocks.push_back(figure_of(material));
  return {.section = std::move(section),
          .data = {{"pairs", pairs_json(*material.judgement)},
                   {"pair_columns", {"pair", "baseline", "candidate", "difference", "counts_as"}}}};
}

}  // namespace retrial::harness::inline study_report::inline parts
