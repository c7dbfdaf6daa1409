#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "harness/judge/verdict/verdict_words.hpp"
#include "harness/study_report/parts/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "variance/samples/summary.hpp"

/// Cost of a better score: the wall time of the trials against their scores.
namespace retrial::harness::inline study_report::inline parts {
namespace {

/// More variants and runs are one symbol per variant.
constexpr std::size_t max_variants = 4, max_runs = 500;

struct Timed {
  std::string variant;
  std::vector<report::Point> runs;  ///< seconds, score

  [[nodiscard]] double median_time() const {
    std::vector<double> out;
    for (const auto& run : runs) out.push_back(run.x);
    return *variance::median(out);
  }
  [[nodiscard]] double mean_score() const {
    std::vector<double> out;
    for (const auto& run : runs) out.push_back(run.y);
    return *variance::mean(out);
  }
};

/// Runs of the judged pairs, without those that have no finite score.
std::vector<Timed> timed_variants(const Material& material) {
  std::set<std::int64_t> judged;
  for (const auto& pair : material.judgement->pairs) judged.insert(pair.index);
  std::map<std::int64_t, double> scores;
  for (const auto& [trial, value] : material.store.final_values(material.judgement->comparison.metric.name))
    scores[trial] = value;
  std::vector<Timed> out;
  for (const auto& variant : judged_variants(material.study)) out.push_back({.variant = variant.name, .runs = {}});
  for (const auto& trial : material.trials) {
    if (trial.state != TrialState::done || !judged.contains(static_cast<std::int64_t>(trial.entry.pair_index)))
      continue;
    const auto row = std::ranges::find(out, trial.entry.variant, &Timed::variant);
    const auto score = scores.find(trial.row->id);
    if (row == out.end() || score == scores.end() || !std::isfinite(score->second)) continue;
    row->runs.push_back({.x = static_cast<double>(trial.row->wall_ns) / 1e9, .y = score->second});
  }
  std::erase_if(out, [](const Timed& timed) { return timed.runs.empty(); });
  return out;
}

struct Style {
  report::Colour colour = report::Colour::grey;
  report::Shape shape = report::Shape::square;
};

/// The two judged variants as in every other figure; of the others, two are told apart.
Style style_of(const std::string& variant, const variance::Design& design, std::size_t others_before) {
  if (variant == design.candidate) return {report::Colour::blue, report::Shape::circle};
  if (variant == design.baseline) return {report::Colour::vermillion, report::Shape::triangle};
  return others_before == 0 ? Style{} : Style{report::Colour::green, report::Shape::diamond};
}

report::Series symbols(const std::string& label, const Style& style, std::vector<report::Point> points) {
  return {.label = label,
          .draw = report::Draw::points,
          .colour = style.colour,
          .shape = style.shape,
          .points = std::move(points)};
}

std::vector<report::Series> every_run(const std::vector<Timed>& all, const variance::Design& design) {
  std::vector<report::Series> out;
  std::size_t others = 0;
  for (const auto& timed : all) {
    const bool other = timed.variant != design.candidate && timed.variant != design.baseline;
    out.push_back(symbols(timed.variant, style_of(timed.variant, design, others), timed.runs));
    others += other ? 1 : 0;
  }
  return out;
}

std::vector<report::Series> every_variant(const std::vector<Timed>& all, const variance::Design& design) {
  std::vector<report::Point> others;
  std::vector<report::Series> named;
  for (const auto& timed : all) {
    const report::Point point{.x = timed.median_time(), .y = timed.mean_score()};
    if (timed.variant == design.candidate || timed.variant == design.baseline)
      named.push_back(symbols(timed.variant, style_of(timed.variant, design, 0), {point}));
    else
      others.push_back(point);
  }
  std::vector<report::Series> out;
  if (!others.empty()) out.push_back(symbols("other variants", {}, std::move(others)));
  std::ranges::move(named, std::back_inserter(out));
  return out;
}

report::Table numbers_of(const std::vector<Timed>& all, const std::string& metric) {
  report::Table out{
      .columns = {
          {"variant"}, report::right("runs"), report::right("median time (s)"), report::right("mean " + metric)}};
  for (const auto& timed : all)
    out.rows.push_back({timed.variant, std::to_string(timed.runs.size()), short_text(timed.median_time()),
                        short_text(timed.mean_score())});
  return out;
}

report::Figure figure_of(const Material& material, const std::vector<Timed>& all) {
  const auto& [comparison, verdict, pairs] = *material.judgement;
  std::size_t runs = 0;
  for (const auto& timed : all) runs += timed.runs.size();
  const bool single = all.size() <= max_variants && runs <= max_runs;
  const std::string metric = with_unit(comparison.metric.name, comparison.metric.unit);
  report::Figure out{
      .title = "Wall time and " + comparison.metric.name + " of " + counted(static_cast<std::int64_t>(runs), "run"),
      .description = std::string(single ? "Each symbol is one run."
                                        : "Each symbol is a variant: median time and mean score of its runs.") +
                     " Time is that of the whole trial, start-up included; trials that run side by side slow each "
                     "other down. For " +
                     comparison.metric.name + ", " + std::string(results::name_of(comparison.metric.direction)) +
                     " is better.",
      .plot = {},
      .data = numbers_of(all, metric),
      .svg = ""};
  out.plot.series = single ? every_run(all, verdict.design) : every_variant(all, verdict.design);
  std::vector<double> times, scores;
  for (const auto& series : out.plot.series)
    for (const auto& point : series.points) {
      times.push_back(point.x);
      scores.push_back(point.y);
    }
  out.plot.x = axis_over("wall time of a trial (s)", times);
  out.plot.y = axis_over(metric, scores);
  return out;
}

}  // namespace

Part time_part(const Material& material) {
  if (!material.decided() || material.judgement->comparison.metric.name == "wall_s")
    return {.section = std::nullopt, .data = Json::object()};
  const auto all = timed_variants(material);
  if (all.empty()) return {.section = std::nullopt, .data = Json::object()};
  return {.section = report::Section{.id = "time", .title = "Time and score", .blocks = {figure_of(material, all)}},
          .data = Json::object()};
}

}  // namespace retrial::harness::inline study_report::inline parts
