#include "workloads/automl/report_section.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"
#include "workloads/automl/keys.hpp"
#include "workloads/automl/named.hpp"
#include "workloads/automl/study_scores.hpp"

namespace retrial::automl {
namespace {

using report::right, report::short_text;
using workloads::FinishedTrial, workloads::StudyEvidence, workloads::VariantTrials;

constexpr double tail = 0.9;
constexpr std::size_t grid_points = 60;

/// Of losses the largest tenth begins here, of scores the smallest.
double tail_of(const std::vector<double>& values, const Set& set) {
  return *variance::sample_quantile(values, set.metric.direction == results::Direction::higher ? 1 - tail : tail);
}

std::optional<double> score_of(const StudyEvidence& evidence, const char* searcher, std::int64_t pair, const Set& set) {
  for (const auto& variant : evidence.variants) {
    if (text_in(variant.values, "searcher") != searcher || !runs(variant, set)) continue;
    const auto trial = std::ranges::find(variant.trials, pair, &FinishedTrial::pair);
    if (trial == variant.trials.end()) continue;
    if (const auto found = trial->finals.find(set.metric.name); found != trial->finals.end()) return found->second;
  }
  return std::nullopt;
}

/// Scores of the AutoML Benchmark: 0 is the constant prediction of the same pair, 1 its forest of 500 trees. Nothing
/// where the study has no such variants, or where both are equal.
std::optional<double> scaled_median(const StudyEvidence& evidence, const VariantTrials& variant, const Set& set) {
  constexpr double least = 1e-12;
  std::vector<double> scaled;
  for (const auto& trial : variant.trials) {
    const auto ours = trial.finals.find(set.metric.name);
    const auto constant = score_of(evidence, "constant", trial.pair, set),
               forest = score_of(evidence, "forest500", trial.pair, set);
    if (ours == trial.finals.end() || !constant || !forest || std::fabs(*forest - *constant) < least) continue;
    scaled.push_back((ours->second - *constant) / (*forest - *constant));
  }
  return scaled.empty() ? std::nullopt : std::optional(median(scaled));
}

report::Table scores_table(const StudyEvidence& evidence, const std::vector<Set>& sets, Json& data) {
  report::Table table{.caption = "Scores; the worst tenth begins at the tail",
                      .columns = {{"problem"},
                                  {"variant"},
                                  right("pairs"),
                                  {"metric"},
                                  right("median"),
                                  right("tail"),
                                  right("scaled"),
                                  right("area of best loss"),
                                  right("evaluations"),
                                  right("cost units")},
                      .rows = {}};
  for (const Set& set : sets)
    for (const auto& variant : evidence.variants) {
      const auto scores = finals_of(variant, set.metric.name);
      if (scores.empty() || !runs(variant, set)) continue;
      const auto areas = finals_of(variant, "anytime_area" + set.suffix),
                 counts = finals_of(variant, "evaluations" + set.suffix),
                 units = finals_of(variant, "spent" + set.suffix);
      const auto middle = [](const std::vector<double>& values) {
        return values.empty() ? std::string("-") : short_text(median(values));
      };
      table.rows.push_back({set.problem, variant.name, std::to_string(scores.size()), set.metric.name, middle(scores),
                            short_text(tail_of(scores, set)), report::or_dash(scaled_median(evidence, variant, set)),
                            middle(areas), middle(counts), middle(units)});
      data.push_back({{"problem", set.problem},
                      {"variant", variant.name},
                      {"pairs", scores.size()},
                      {"metric", set.metric.name},
                      {"median", report::derived(median(scores))},
                      {"tail", report::derived(tail_of(scores, set))},
                      {"scaled_score", report::derived(scaled_median(evidence, variant, set))},
                      {"anytime_area", areas.empty() ? Json() : report::derived(median(areas))}});
    }
  return table;
}

/// Pairs that each side is ahead in; ties count half.
struct Wins {
  double candidate = 0;
  std::int64_t pairs = 0;
};

Wins wins_of(const VariantTrials& candidate, const VariantTrials& baseline, const results::MetricDef& metric) {
  Wins out;
  for (const auto& ours : candidate.trials) {
    const auto theirs = std::ranges::find(baseline.trials, ours.pair, &FinishedTrial::pair);
    if (theirs == baseline.trials.end()) continue;
    const auto a = ours.finals.find(metric.name), b = theirs->finals.find(metric.name);
    if (a == ours.finals.end() || b == theirs->finals.end()) continue;
    const bool lower = metric.direction == results::Direction::lower;
    out.candidate += a->second == b->second ? 0.5 : (a->second < b->second) == lower ? 1 : 0;
    ++out.pairs;
  }
  return out;
}

report::Table shares_table(const StudyEvidence& evidence, const std::vector<Set>& sets, Json& data) {
  report::Table table{.caption = "Share of pairs ahead of " + evidence.baseline + ", by set",
                      .columns = {{"problem"}, {"variant"}, right("pairs"), right("share")},
                      .rows = {}};
  const auto baseline = std::ranges::find(evidence.variants, evidence.baseline, &VariantTrials::name);
  if (baseline == evidence.variants.end()) return table;
  for (const Set& set : sets)
    for (const auto& variant : evidence.variants) {
      if (variant.name == evidence.baseline) continue;
      const auto [won, pairs] = wins_of(variant, *baseline, set.metric);
      if (pairs == 0) continue;
      const double share = won / static_cast<double>(pairs);
      table.rows.push_back({set.problem, variant.name, std::to_string(pairs), short_text(share, 3)});
      data.push_back(
          {{"problem", set.problem}, {"variant", variant.name}, {"pairs", pairs}, {"share", report::derived(share)}});
    }
  return table;
}

/// The best loss of a trial when so much was spent: cost units -> loss, at each improvement.
std::vector<report::Point> curve_of(const FinishedTrial& trial, const std::string& suffix) {
  std::vector<report::Point> out;
  const auto best = trial.series.find("best_loss" + suffix), spent = trial.series.find("spent" + suffix);
  if (best == trial.series.end() || spent == trial.series.end()) return out;
  for (const auto& [step, loss] : best->second)
    if (const auto at = spent->second.find(step); at != spent->second.end()) out.push_back({at->second, loss});
  const auto end = trial.finals.find("spent" + suffix);
  if (!out.empty() && end != trial.finals.end()) out.push_back({end->second, out.back().y});
  return out;
}

double value_at(const std::vector<report::Point>& curve, double x) {
  double out = std::numeric_limits<double>::quiet_NaN();
  for (const auto& point : curve)
    if (point.x <= x) out = point.y;
  return out;
}

std::vector<report::Point> median_curve(const std::vector<std::vector<report::Point>>& curves, double most) {
  std::vector<report::Point> out;
  for (std::size_t i = 1; i <= grid_points; ++i) {
    const double x = most * static_cast<double>(i) / grid_points;
    std::vector<double> values;
    for (const auto& curve : curves)
      if (const double value = value_at(curve, x); !std::isnan(value)) values.push_back(value);
    if (!values.empty() && 2 * values.size() >= curves.size()) out.push_back({x, median(values)});
  }
  return out;
}

/// Every pair of the baseline and of the candidate, or of the first two variants.
std::optional<report::Figure> anytime_figure(const StudyEvidence& evidence, const Set& set) {
  std::vector<const VariantTrials*> shown;
  for (const auto& variant : evidence.variants)
    if (variant.name == evidence.baseline || !evidence.candidate || variant.name == *evidence.candidate)
      if (shown.size() < 2 && runs(variant, set)) shown.push_back(&variant);
  report::Figure figure{.title = "Best loss against cost: " + set.problem,
                        .description = "A thin line for each pair, a thick one for the median over pairs.",
                        .plot = {}};
  std::vector<double> xs{0}, ys;
  std::size_t lines = 0;
  for (std::size_t v = 0; v < shown.size(); ++v) {
    const auto colour = v == 0 ? report::Colour::blue : report::Colour::vermillion;
    const auto dash = v == 0 ? report::Dash::solid : report::Dash::dashed;
    std::vector<std::vector<report::Point>> curves;
    double most = 0;
    for (const auto& trial : shown[v]->trials) {
      auto curve = curve_of(trial, set.suffix);
      if (curve.empty() || (lines += curve.size()) > report::max_marks) continue;
      for (const auto& point : curve) xs.push_back(point.x), ys.push_back(point.y), most = std::max(most, point.x);
      curves.push_back(curve);
      figure.plot.series.push_back(
          {.label = "", .draw = report::Draw::steps, .colour = colour, .dash = dash, .faint = true, .points = curve});
    }
    figure.plot.series.push_back({.label = shown[v]->name + ", median",
                                  .draw = report::Draw::steps,
                                  .colour = colour,
                                  .dash = dash,
                                  .width = 2.5,
                                  .points = median_curve(curves, most)});
  }
  if (ys.empty()) return std::nullopt;
  figure.plot.x = report::axis_over("cost units", xs);
  figure.plot.y = report::axis_over(set.metric.name.starts_with("regret") ? "regret" : "validation loss", ys);
  return figure;
}

/// Units and CPU seconds of every trial that trained on a table.
std::optional<report::Figure> cost_figure(const StudyEvidence& evidence) {
  report::Series trials{.label = "a trial", .colour = report::Colour::blue, .faint = true, .points = {}};
  std::vector<double> xs{0}, ys{0};
  for (const auto& variant : evidence.variants) {
    const auto suite = suite_of(variant.values);
    if (std::ranges::any_of(suite, [](const auto& cell) { return is_function(cell.values); })) continue;
    for (const auto& trial : variant.trials) {
      double units = 0;
      for (const auto& cell : suite)
        if (const auto found = trial.finals.find("spent" + cell.suffix); found != trial.finals.end())
          units += found->second;
      const auto time = trial.finals.find("cpu_s");
      if (units == 0 || time == trial.finals.end() || trials.points.size() >= report::max_marks) continue;
      trials.points.push_back({units, time->second});
      xs.push_back(units), ys.push_back(time->second);
    }
  }
  if (trials.points.empty()) return std::nullopt;
  report::Figure figure{.title = "CPU time against cost units",
                        .description = "A symbol for each trial, with the training of its best configuration.",
                        .plot = {.x = report::axis_over("cost units", xs), .y = report::axis_over("CPU time (s)", ys)}};
  figure.plot.series.push_back(std::move(trials));
  return figure;
}

report::Table costs_table(const StudyEvidence& evidence, Json& data) {
  constexpr double calibrated = 0.8;
  report::Table table{.caption = "Cost units against CPU time, means over pairs",
                      .columns = {{"learner"},
                                  right("pairs"),
                                  right("rank correlation"),
                                  right("log R2"),
                                  right("median factor"),
                                  right("us for each unit"),
                                  {"note"}},
                      .rows = {}};
  for (const auto& variant : evidence.variants) {
    const auto ranks = finals_of(variant, "cost_spearman");
    if (ranks.empty()) continue;
    const auto mean = [&](const char* metric) { return *variance::mean(finals_of(variant, metric)); };
    const bool poor = mean("cost_spearman") < calibrated;
    const std::string learner = name_in(variant.values);
    table.rows.push_back({learner, std::to_string(ranks.size()), short_text(mean("cost_spearman"), 3),
                          short_text(mean("cost_log_r2"), 3), short_text(mean("cost_factor"), 3),
                          short_text(mean("cost_scale"), 3), poor ? "uncalibrated" : ""});
    data.push_back({{"learner", learner},
                    {"spearman", report::derived(mean("cost_spearman"))},
                    {"log_r2", report::derived(mean("cost_log_r2"))},
                    {"factor", report::derived(mean("cost_factor"))},
                    {"scale", report::derived(mean("cost_scale"))},
                    {"calibrated", !poor}});
  }
  return table;
}

}  // namespace

report::Part report_section(const StudyEvidence& evidence) {
  report::Section section{.id = "automl", .title = "Search", .blocks = {}};
  Json scores = Json::array(), shares = Json::array(), costs = Json::array();
  const auto sets = sets_of(evidence);
  const auto add = [&](report::Table table) {
    if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  };
  add(scores_table(evidence, sets, scores));
  add(shares_table(evidence, sets, shares));
  add(costs_table(evidence, costs));
  for (const Set& set : sets)
    if (auto figure = anytime_figure(evidence, set)) section.blocks.emplace_back(std::move(*figure));
  if (auto figure = cost_figure(evidence)) section.blocks.emplace_back(std::move(*figure));
  if (section.blocks.empty()) return {.section = std::nullopt, .data = Json::object()};
  return {.section = std::move(section),
          .data = {{"automl", {{"scores", scores}, {"shares", shares}, {"costs", costs}}}}};
}

}  // namespace retrial::automl
