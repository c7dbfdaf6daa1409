#include <algorithm>
#include <cmath>
#include <map>

#include "harness/study_report/parts/curve_zoom.hpp"
#include "harness/study_report/parts/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study_report::inline parts {
namespace {

using report::Series;

/// Runs above which the shaded area is the middle 80 % instead of the whole range, which grows with their number.
constexpr std::size_t max_runs_with_range = 10;
/// A study under 25 test distributions has a hundred series in one unit; they made its report 2 MB larger.
constexpr std::size_t max_figures = 8;

using Curve = std::map<std::int64_t, double>;  ///< step -> finite value

struct Bundle {
  std::string variant;
  report::Colour colour = report::Colour::blue;
  report::Dash dash = report::Dash::solid;
  std::vector<Curve> runs;
};

struct Curves {
  results::MetricDef def;
  std::vector<Bundle> bundles;

  [[nodiscard]] std::size_t points() const {
    std::size_t out = 0;
    for (const auto& bundle : bundles)
      for (const auto& run : bundle.runs) out += run.size();
    return out;
  }
};

/// Whether the user named this metric of a program that is not ours: its values along the way were asked for.
bool is_users(const results::MetricDef& def) {
  return def.axis == results::Axis::none && def.nature == results::Nature::outcome && def.unit.empty();
}

/// The judged metric along its own axis, or, where trials have only its final value, metrics recorded per epoch in the
/// same unit and direction; and those that the user named.
std::vector<results::MetricDef> wanted(const results::Store& store, const results::MetricDef& judged) {
  std::vector<results::MetricDef> out{judged};
  for (const auto& def : store.metric_defs())
    if (def.name != judged.name && (is_users(def) || (def.axis == results::Axis::epoch && def.unit == judged.unit &&
                                                      def.direction == judged.direction)))
      out.push_back(def);
  return out;
}

std::vector<Curves> read_curves(const Material& material) {
  const auto& design = material.judgement->verdict.design;
  std::map<std::string, std::map<std::string, std::vector<Curve>>> found;  // metric, variant
  const auto defs = wanted(material.store, material.judgement->comparison.metric);
  for (const auto& trial : material.trials) {
    const bool judged = trial.entry.variant == design.candidate || trial.entry.variant == design.baseline;
    if (trial.state != TrialState::done || !judged) continue;
    std::map<std::string, Curve> curves;
    for (const auto& point : material.store.metrics(trial.row->id))
      if (point.step >= 0 && std::isfinite(point.value)) curves[point.name][point.step] = point.value;
    for (auto& [name, curve] : curves) found[name][trial.entry.variant].push_back(std::move(curve));
  }
  std::vector<Curves> out;
  const bool own = found.contains(defs.front().name);  // then no other metric replaces the judged one
  for (const auto& def : defs) {
    if (!found.contains(def.name) || (own && def.name != defs.front().name && !is_users(def))) continue;
    Curves curves{.def = def, .bundles = {}};
    if (def.axis == results::Axis::none) curves.def.axis = results::Axis::step;
    for (const std::string& variant : {design.candidate, design.baseline}) {
      const bool candidate = variant == design.candidate;
      curves.bundles.push_back({.variant = variant,
                                .colour = candidate ? report::Colour::blue : report::Colour::vermillion,
                                .dash = candidate ? report::Dash::solid : report::Dash::dashed,
                                .runs = std::move(found[def.name][variant])});
    }
    out.push_back(std::move(curves));
  }
  return out;
}

/// The runs that the shaded area holds.
enum class Band { all, middle };

Band band_of(const Curves& curves) {
  const auto many = [](const Bundle& bundle) { return bundle.runs.size() > max_runs_with_range; };
  return std::ranges::any_of(curves.bundles, many) ? Band::middle : Band::all;
}

std::vector<CurveStep> steps_of(const Bundle& bundle, Band band) {
  const double tail = band == Band::all ? 0 : 0.1;
  std::map<std::int64_t, std::vector<double>> by_step;
  for (const auto& run : bundle.runs)
    for (const auto& [step, value] : run) by_step[step].push_back(value);
  std::vector<CurveStep> out;
  for (const auto& [step, values] : by_step)
    out.push_back({.step = step,
                   .runs = static_cast<std::int64_t>(values.size()),
                   .median = *variance::median(values),
                   .low = *variance::sample_quantile(values, tail),
                   .high = *variance::sample_quantile(values, 1 - tail)});
  return out;
}

Series band_series(const Bundle& bundle, const std::vector<CurveStep>& steps, Band band) {
  Series out{.label = bundle.variant + (band == Band::all ? ", min to max" : ", 10 % to 90 % quantile"),
             .draw = report::Draw::band,
             .colour = bundle.colour,
             .points = {}};
  for (const auto& s : steps)
    out.points.push_back({.x = static_cast<double>(s.step), .y = s.median, .low = s.low, .high = s.high});
  return out;
}

Series median_line(const Bundle& bundle, const std::vector<CurveStep>& steps) {
  Series out{.label = bundle.variant + ", median",
             .draw = report::Draw::lines,
             .colour = bundle.colour,
             .dash = bundle.dash,
             .width = 2.5,
             .points = {}};
  for (const auto& s : steps) out.points.push_back({.x = static_cast<double>(s.step), .y = s.median});
  return out;
}

report::Table steps_table(const Curves& curves, Band band) {
  report::Table out{.caption = "",
                    .columns = {{"variant"},
                                {std::string(results::name_of(curves.def.axis)), true},
                                {"runs", true},
                                {"median", true},
                                {band == Band::all ? "min" : "10 % quantile", true},
                                {band == Band::all ? "max" : "90 % quantile", true}},
                    .rows = {}};
  for (const auto& bundle : curves.bundles)
    for (const auto& s : steps_of(bundle, band))
      out.rows.push_back({bundle.variant, std::to_string(s.step), std::to_string(s.runs), short_text(s.median, 6),
                          short_text(s.low, 6), short_text(s.high, 6)});
  return out;
}

/// Keeps every k-th step and the last where a run has many points: fewer of each where there are many figures.
void thin(Curves& curves, std::size_t figures) {
  constexpr std::size_t few = 60, many = 150, together = 600;
  const std::size_t max_steps = std::clamp(together / figures, few, many);
  for (auto& bundle : curves.bundles)
    for (auto& run : bundle.runs) {
      const std::size_t keep = run.size() / max_steps + 1;
      std::size_t at = 0;
      std::erase_if(run, [&](const auto&) { return ++at % keep != 0 && at != run.size(); });
    }
}

/// "85.2 to 95.1 %".
std::string range_text(double low, double high, const std::string& unit) {
  return short_text(low) + " to " + short_text(high) + (unit.empty() ? "" : " " + unit);
}

/// The value axis, and what it leaves out in words.
report::Axis value_axis(const Curves& curves, const std::vector<CurveStep>& steps, std::string& description) {
  const std::string label = with_unit(curves.def.name, curves.def.unit);
  std::vector<double> ends;
  if (const auto zoom = curve_zoom(steps)) {
    description +=
        " The axis shows the second half of the training, from " + std::string(results::name_of(curves.def.axis)) +
        " " + std::to_string(zoom->from) + " on: " + range_text(zoom->low, zoom->high, curves.def.unit) +
        ". Earlier values beyond it are cut off; all are " + range_text(zoom->least, zoom->most, curves.def.unit) + ".";
    ends = {zoom->low, zoom->high};
  } else {
    for (const auto& s : steps) ends.insert(ends.end(), {s.low, s.high});
  }
  return axis_over(label, ends);
}

report::Figure figure_of(Curves curves, std::size_t figures) {
  const std::size_t before = curves.points();
  thin(curves, figures);
  const Band band = band_of(curves);
  std::string description = std::string("Lines are medians over the pairs; shaded areas ") +
                            (band == Band::all ? "go from the smallest to the largest run."
                                               : "hold the middle 80 % of the runs (10 % to 90 % quantile).");
  if (curves.points() < before) description += " Not every step is drawn.";
  std::vector<Series> bands, medians;
  std::vector<CurveStep> all;
  for (const auto& bundle : curves.bundles) {
    if (bundle.runs.empty()) continue;
    const auto steps = steps_of(bundle, band);
    bands.push_back(band_series(bundle, steps, band));
    medians.push_back(median_line(bundle, steps));
    all.insert(all.end(), steps.begin(), steps.end());
  }
  std::vector<double> xs;
  for (const auto& s : all) xs.push_back(static_cast<double>(s.step));
  const std::string axis(results::name_of(curves.def.axis));
  report::Figure out{.title = curves.def.name + " during training, " + std::to_string(curves.bundles[0].runs.size()) +
                              " and " + std::to_string(curves.bundles[1].runs.size()) + " runs",
                     .description = {},
                     .plot = {.x = axis_over(axis, xs), .y = value_axis(curves, all, description), .series = {}},
                     .data = steps_table(curves, band),
                     .svg = ""};
  out.description = std::move(description);
  out.plot.x.whole = true;
  out.plot.series = std::move(bands);
  std::ranges::move(medians, std::back_inserter(out.plot.series));
  return out;
}

Json curves_json(const Curves& curves) {
  Json rows = Json::array();
  for (const auto& bundle : curves.bundles)
    for (const auto& s : steps_of(bundle, Band::middle))
      rows.push_back({bundle.variant, s.step, s.runs, derived(s.median), derived(s.low), derived(s.high)});
  return {{"metric", curves.def.name},
          {"columns", {"variant", results::name_of(curves.def.axis), "runs", "median", "q10", "q90"}},
          {"rows", rows}};
}

std::string none_text(const Material& material, const std::string& judged) {
  const auto* declaration = workloads::workload_if_known(material.study.workload);
  if (declaration != nullptr && declaration->printed)
    return "No curves: " + judged + " was read only at the end. retrial run --read-curve " + shell_word(judged) +
           " keeps every value that the program prints.";
  return "No curves: this workload records " + judged +
         " only at the end, and no other metric in its unit during training.";
}

}  // namespace

Part curves_part(const Material& material) {
  if (!material.judgement) return {.section = std::nullopt, .data = {{"curves", Json::array()}}};
  const std::string& judged = material.judgement->comparison.metric.name;
  report::Section section{.id = "curves", .title = "Learning curves", .blocks = {}};
  Json data = Json::array();
  const auto all = read_curves(material);
  if (all.empty())
    section.blocks.push_back(report::Paragraph{none_text(material, judged)});
  else if (all.front().def.name != judged)
    section.blocks.push_back(report::Paragraph{"The judged metric, " + judged +
                                               ", is recorded only at the end; metrics " +
                                               (all.front().def.unit.empty() ? "" : "in the same unit ") +
                                               "that are "
                                               "recorded during training are shown instead."});
  const std::size_t figures = std::min(all.size(), max_figures);
  for (std::size_t at = 0; at < figures; ++at) {
    data.push_back(curves_json(all[at]));
    section.blocks.push_back(figure_of(all[at], figures));
  }
  if (all.size() > max_figures)
    section.blocks.push_back(report::Paragraph{std::to_string(all.size() - max_figures) +
                                               " more series in this unit are in the store (retrial show " +
                                               shell_word(material.file) + " VARIANT/PAIR lists them for a trial)."});
  return {.section = std::move(section), .data = {{"curves", data}}};
}

}  // namespace retrial::harness::inline study_report::inline parts
