#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <ranges>

#include "harness/study_report/parts/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study_report::inline parts {
namespace {

using report::Series;

/// With more points in total, the lines of single runs are not drawn: the file would grow, and a reader could not tell
/// them apart.
constexpr std::size_t max_points = 20'000;
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
    if (trial.state != TrialState::done) continue;
    std::map<std::string, Curve> curves;
    for (const auto& point : material.store.metrics(trial.row->id))
      if (point.step >= 0 && std::isfinite(point.value)) curves[point.name][point.step] = point.value;
    for (auto& [name, curve] : curves) found[name][trial.entry.variant].push_back(std::move(curve));
  }
  std::vector<Curves> out;
  const bool own = found.contains(defs.front().name);  // then no other metric stands in for the judged one
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

/// Quantiles over the runs that have a value at this step.
struct Step {
  std::int64_t step = 0, n = 0;
  double median = 0, low = 0, high = 0;
};

std::vector<Step> steps_of(const Bundle& bundle) {
  std::map<std::int64_t, std::vector<double>> by_step;
  for (const auto& run : bundle.runs)
    for (const auto& [step, value] : run) by_step[step].push_back(value);
  std::vector<Step> out;
  for (const auto& [step, values] : by_step)
    out.push_back({step, static_cast<std::int64_t>(values.size()), *variance::median(values),
                   *variance::sample_quantile(values, 0.1), *variance::sample_quantile(values, 0.9)});
  return out;
}

Series run_lines(const Bundle& bundle) {
  Series out{.draw = report::Draw::lines, .colour = bundle.colour, .width = 0.7, .faint = true, .points = {}};
  for (const auto& run : bundle.runs) {
    if (!out.points.empty()) out.points.push_back({.x = std::numeric_limits<double>::quiet_NaN()});
    for (const auto& [step, value] : run) out.points.push_back({.x = static_cast<double>(step), .y = value});
  }
  return out;
}

Series middle_band(const Bundle& bundle, const std::vector<Step>& steps) {
  Series out{.draw = report::Draw::band, .colour = bundle.colour, .points = {}};
  for (const auto& s : steps)
    out.points.push_back({.x = static_cast<double>(s.step), .y = s.median, .low = s.low, .high = s.high});
  return out;
}

Series median_line(const Bundle& bundle, const std::vector<Step>& steps) {
  Series out{.label = bundle.variant + ", median",
             .draw = report::Draw::lines,
             .colour = bundle.colour,
             .dash = bundle.dash,
             .width = 2.5,
             .points = {}};
  for (const auto& s : steps) out.points.push_back({.x = static_cast<double>(s.step), .y = s.median});
  return out;
}

report::Table steps_table(const Curves& curves) {
  report::Table out{.caption = "",
                    .columns = {{"variant"},
                                {std::string(results::name_of(curves.def.axis)), true},
                                {"runs", true},
                                {"median", true},
                                {"10 % quantile", true},
                                {"90 % quantile", true}},
                    .rows = {}};
  for (const auto& bundle : curves.bundles)
    for (const auto& s : steps_of(bundle))
      out.rows.push_back({bundle.variant, std::to_string(s.step), std::to_string(s.n), short_text(s.median, 6),
                          short_text(s.low, 6), short_text(s.high, 6)});
  return out;
}

/// Keeps every k-th step and the last where a run has many points.
void thin(Curves& curves) {
  constexpr std::size_t max_steps = 400;
  for (auto& bundle : curves.bundles)
    for (auto& run : bundle.runs) {
      const std::size_t keep = run.size() / max_steps + 1;
      std::size_t at = 0;
      std::erase_if(run, [&](const auto&) { return ++at % keep != 0 && at != run.size(); });
    }
}

report::Figure figure_of(Curves curves) {
  const std::size_t before = curves.points();
  thin(curves);
  const bool every = curves.points() <= max_points &&
                     curves.bundles[0].runs.size() + curves.bundles[1].runs.size() + 10 <= report::max_marks;
  std::vector<double> xs, ys;
  for (const auto& bundle : curves.bundles)
    for (const auto& run : bundle.runs)
      for (const auto& [step, value] : run) {
        xs.push_back(static_cast<double>(step));
        ys.push_back(value);
      }
  const std::string axis(results::name_of(curves.def.axis));
  report::Figure out{
      .title = curves.def.name + " during training, " + std::to_string(curves.bundles[0].runs.size()) + " and " +
               std::to_string(curves.bundles[1].runs.size()) + " runs",
      .description = every ? "Thin lines are single runs, one per seed; thick lines are medians."
                           : "Thick lines are medians; shaded areas hold the middle 80 % of the runs, which "
                             "are too many to draw one by one.",
      .plot = {.x = axis_over(axis, xs), .y = axis_over(with_unit(curves.def.name, curves.def.unit), ys), .series = {}},
      .data = steps_table(curves),
      .svg = ""};
  out.plot.x.whole = true;
  if (curves.points() < before) out.description += " Not every step is drawn.";
  for (const auto& bundle : curves.bundles)
    if (!bundle.runs.empty())
      out.plot.series.push_back(every ? run_lines(bundle) : middle_band(bundle, steps_of(bundle)));
  for (const auto& bundle : curves.bundles)
    if (!bundle.runs.empty()) out.plot.series.push_back(median_line(bundle, steps_of(bundle)));
  return out;
}

Json curves_json(const Curves& curves) {
  Json rows = Json::array();
  for (const auto& bundle : curves.bundles)
    for (const auto& s : steps_of(bundle))
      rows.push_back({bundle.variant, s.step, s.n, derived(s.median), derived(s.low), derived(s.high)});
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
  for (const auto& curves : all | std::views::take(max_figures)) {
    data.push_back(curves_json(curves));
    section.blocks.push_back(figure_of(curves));
  }
  if (all.size() > max_figures)
    section.blocks.push_back(report::Paragraph{std::to_string(all.size() - max_figures) +
                                               " more series in this unit are in the store (retrial show " +
                                               shell_word(material.file) + " VARIANT/PAIR lists them for a trial)."});
  return {.section = std::move(section), .data = {{"curves", data}}};
}

}  // namespace retrial::harness::inline study_report::inline parts
