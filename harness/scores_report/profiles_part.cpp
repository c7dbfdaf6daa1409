#include "harness/scores_report/material.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"

namespace retrial::harness::inline scores_report {
namespace {

constexpr std::size_t max_bands = 8;  ///< more bands cover each other; the numbers have all of them

report::Series line_of(const VariantAggregate& one, std::size_t style) {
  report::Series out = series_style(style, report::Draw::lines);
  out.label = one.variant;
  for (std::size_t t = 0; t < one.taus.size(); ++t) out.points.push_back({.x = one.taus[t], .y = one.profile[t].point});
  return out;
}

report::Series band_of(const VariantAggregate& one, std::size_t style) {
  report::Series out = series_style(style, report::Draw::band);
  for (std::size_t t = 0; t < one.taus.size(); ++t)
    out.points.push_back({.x = one.taus[t], .low = *one.profile[t].low, .high = *one.profile[t].high});
  return out;
}

report::Table data_of(const AggregateReport& profile, const std::string& side) {
  report::Table out{.columns = {report::right("score " + side)}};
  for (const auto& one : profile.variants)
    for (const char* what : {"", " low", " high"}) out.columns.push_back(report::right(one.variant + what));
  const auto& taus = profile.variants.front().taus;
  for (std::size_t t = 0; t < taus.size(); ++t) {
    std::vector<report::Cell> row{short_text(taus[t])};
    for (const auto& one : profile.variants)
      for (const double share : {one.profile[t].point, *one.profile[t].low, *one.profile[t].high})
        row.emplace_back(short_text(share, 3));
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace

report::Part profiles_part(const ScoresMaterial& material) {
  const AggregateReport& profile = material.profile;
  const std::string side = profile.direction == variance::Direction::lower ? "below" : "above";
  const bool bands = profile.variants.size() <= max_bands;
  report::Figure figure{
      .title = "Performance profiles, " + counted(std::ssize(profile.variants), "variant") + " on " +
               counted(static_cast<std::int64_t>(profile.tasks), "task") + " with " + runs_per_task(profile) + " each",
      .description = "The height of a line is the share of runs with a score " + side +
                     " the threshold, mean over tasks" +
                     (bands ? "; a band is the " + percent(1 - profile.alpha) + " interval of each height by itself"
                            : "; the numbers have the intervals") +
                     ". A line that is higher everywhere belongs to the better variant; lines that cross do not "
                     "rank the two.",
      .data = data_of(profile, side)};
  const auto& taus = profile.variants.front().taus;
  figure.plot.x = axis_over("threshold: " + material.scale, taus);
  figure.plot.y = {.label = "share of runs " + side, .low = 0, .high = 1.02, .tics = {}};
  for (std::size_t v = 0; bands && v < profile.variants.size(); ++v)
    figure.plot.series.push_back(band_of(profile.variants[v], v));
  for (std::size_t v = 0; v < profile.variants.size(); ++v)
    figure.plot.series.push_back(line_of(profile.variants[v], v));
  return {.section = report::Section{.id = "profiles", .title = "Performance profiles", .blocks = {std::move(figure)}},
          .data = {{"profile", aggregate_document(profile)}}};
}

report::Part improvement_part(const ScoresMaterial& material) {
  if (!material.improvement) return {.section = std::nullopt, .data = {{"improvement", nullptr}}};
  std::vector<IntervalRow> rows;
  for (const auto& one : material.improvement->differences)
    rows.push_back({one.candidate, one.estimate, place_in_report(material, one.candidate)});
  const std::string& baseline = material.improvement->differences.front().baseline;
  auto figure = interval_figure("Probability of improvement over " + baseline,
                                "The probability that a run beats a run of " + baseline +
                                    " on the same task, mean over tasks; equal scores count half. At 0.5 (line) "
                                    "neither is better.",
                                "probability to beat " + baseline, rows, 0.5);
  figure.plot.x.low = 0;
  figure.plot.x.high = 1;
  return {
      .section =
          report::Section{.id = "improvement", .title = "Probability of improvement", .blocks = {std::move(figure)}},
      .data = {{"improvement", aggregate_document(*material.improvement)}}};
}

}  // namespace retrial::harness::inline scores_report
