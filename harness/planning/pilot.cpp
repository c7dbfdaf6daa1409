#include <algorithm>
#include <thread>

#include "harness/judge/design/comparison.hpp"
#include "harness/planning/power_plan.hpp"
#include "harness/scores/compare_table.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/scores/selection/slice.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/stored/stored_study.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/designs/pilot_power.hpp"
#include "variance/random/rng.hpp"
#include "variance/verdict/complete_pairs.hpp"

namespace retrial::harness::inline planning {
namespace {

constexpr std::int64_t min_pilot_runs = 5, doubtful_pilot_runs = 20, usual_studies = 1'000, usual_resamples = 1'000;

/// A pilot with its names, and the test that is planned.
struct NamedPilot {
  std::string where, candidate, baseline, unit;
  variance::Pilot runs;
  variance::PilotPlan plan;
  std::uint64_t root = 0;
  std::vector<std::string> notes;
};

[[noreturn]] void refuse_pilot(const std::string& where, const std::string& field, const std::string& problem,
                               const std::string& help) {
  throw Error({.code = "power.pilot", .where = where, .field = field, .problem = problem, .help = help});
}

const variance::ComparisonTest& test_to_plan(const Arguments& arguments, const std::string& usual) {
  const std::string name = arguments.value("test").value_or(usual);
  const auto* row = variance::find_comparison(name);
  if (row != nullptr) return *row;
  std::vector<std::string> names;
  for (const auto& each : variance::all_comparisons()) names.emplace_back(each.name);
  throw Error({.code = "usage.option_value",
               .field = "--test",
               .value = name,
               .problem = "is not a test of two variants",
               .allowed = results::joined(names)});
}

void set_test(NamedPilot& pilot, const Arguments& arguments, const variance::ComparisonTest& test) {
  pilot.plan.test = test.name;
  pilot.plan.settings.resamples = usual_resamples;
  take_options(arguments, pilot.plan.settings);
  require_options_fit(arguments, test, pilot.plan.settings);
  pilot.plan.studies = arguments.integer("studies", 100, 1'000'000).value_or(usual_studies);
  pilot.plan.threads = std::max(1U, std::thread::hardware_concurrency());
}

NamedPilot stored_pilot(const Arguments& arguments, const std::string& word) {
  refuse_options(arguments, {"columns", "format", "task"}, {.problem = "is for --scores, not for a store"});
  const results::Store store = open_for_reading(existing_store(word));
  const StudyView study = read_study(store, chosen_study(store, arguments.value("study")));
  const auto comparison = read_comparison(store, study, plan_state(store, study.plan),
                                          {.metric = arguments.value("metric"),
                                           .baseline = arguments.value("baseline"),
                                           .candidate = arguments.value("candidate"),
                                           .scope = std::nullopt,
                                           .direction = direction_given(arguments)});
  demand_valid(study, comparison);
  const auto& design = comparison.design;
  auto pairs = variance::complete_pairs(comparison.scores);
  NamedPilot pilot{
      .where = "study " + study.name,
      .candidate = design.candidate,
      .baseline = design.baseline,
      .unit = comparison.metric.unit,
      .runs = {std::move(pairs.candidate), std::move(pairs.baseline)},
      .root = arguments.has("seed") ? *arguments.u64("seed") : results::parse_hex16(study.seed).value_or(0)};
  if (pairs.left_out > 0)
    pilot.notes.push_back(counted(pairs.left_out, "pair") + " left out because a run has no finite score");
  pilot.plan.settings = declared_settings(comparison);
  set_test(pilot, arguments, test_to_plan(arguments, design.sequential() ? "pab_exact" : design.test));
  return pilot;
}

Slice slice_to_plan(const Arguments& arguments, const ScoreTable& table, const std::string& metric) {
  const auto task = arguments.value("task");
  auto slices = task ? std::vector{slice_of(table, metric, *task)} : slices_of(table, metric);
  const bool unknown = slices.front().names.empty();
  if (slices.size() == 1 && !unknown) return std::move(slices.front());
  throw Error({.code = "power.pilot",
               .where = table.name,
               .field = "--task",
               .value = task.value_or(""),
               .problem = unknown ? "no such task" : "must be given: a pilot is of one task",
               .allowed = results::joined(table.tasks())});
}

NamedPilot scores_pilot(const Arguments& arguments) {
  refuse_options(arguments, {"study"}, {.problem = "is for --pilot STORE, and --scores reads no store"});
  const ScoreTable table =
      read_score_table(score_inputs(arguments.values("scores"), roles_given(arguments)), arguments.value("format"));
  const TableChoice choice = table_choice(arguments, table);
  const Slice slice = slice_to_plan(arguments, table, choice.metric);
  const auto sides = sides_of({.where = table.name, .names = slice.names}, arguments);
  NamedPilot pilot{
      .where = table.name, .candidate = slice.names[sides.candidate], .baseline = slice.names[sides.baseline]};
  if (const auto facts = table.metrics.find(choice.metric); facts != table.metrics.end())
    pilot.unit = facts->second.unit;
  pilot.plan.settings.direction = choice.direction;
  const auto& test = test_to_plan(arguments, slice.paired ? "pab_exact" : "brunner_munzel");
  set_test(pilot, arguments, test);
  if (test.pairing == variance::Pairing::paired) {
    if (!slice.paired)
      refuse_pilot(table.name, "--test", std::string(test.name) + " needs pairs, but " + slice.unpaired, slice.pairing);
    slice.require_equal(sides.candidate, sides.baseline);
  }
  auto runs =
      judged_pair(slice, sides.candidate, sides.baseline, test, pilot.plan.settings, variance::FailurePolicy::drop);
  pilot.runs = {std::move(runs.candidate), std::move(runs.baseline)};
  pilot.notes = slice.notes;
  pilot.notes.insert(pilot.notes.end(), runs.notes.begin(), runs.notes.end());
  pilot.root = arguments.has("seed") ? *arguments.u64("seed") : draw_root_seed();
  return pilot;
}

/// Power at one number of runs: of the pilot as it is, and with its effect at either end of its interval.
struct PilotPoint {
  std::int64_t runs = 0;
  variance::Estimate power;
  std::optional<double> low, high;
};

std::vector<PilotPoint> pilot_points(const NamedPilot& pilot, const variance::Estimate& effect,
                                     std::optional<std::int64_t> n) {
  std::vector<std::int64_t> all{5, 10, 15, 20, 30, 40};
  if (n) all.push_back(*n);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const bool ends = shiftable(pilot.plan) && effect.low && effect.high;
  const auto at = [&](std::int64_t runs, double shift) { return simulated_power(pilot.runs, runs, shift, pilot.plan); };
  std::vector<PilotPoint> points;
  for (const std::int64_t runs : all) {
    PilotPoint point{.runs = runs, .power = at(runs, 0.0)};
    if (ends) point.low = at(runs, *effect.low - effect.point).point;
    if (ends) point.high = at(runs, *effect.high - effect.point).point;
    points.push_back(std::move(point));
  }
  return points;
}

std::vector<std::string> pilot_notes(const NamedPilot& pilot) {
  auto notes = pilot.notes;
  notes.emplace_back(
      "the effect of a pilot is itself uncertain: the last two columns show the power if it is at either end of its "
      "interval; where the two are far apart, plan for a difference that matters (--design, --effect)");
  if (std::min(std::ssize(pilot.runs.candidate), std::ssize(pilot.runs.baseline)) < doubtful_pilot_runs)
    notes.emplace_back(
        "with fewer than 20 runs a pilot estimates its own spread poorly, and drawing from it shrinks the spread "
        "further: "
        "these powers are too high on average");
  return notes;
}

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(results::rounded10(*value)) : Json();
}

Json pilot_document(const NamedPilot& pilot, const variance::Estimate& effect, const std::vector<PilotPoint>& points) {
  Json curve = Json::array();
  for (const auto& point : points)
    curve.push_back({{"runs", point.runs},
                     {"power", results::rounded10(point.power.point)},
                     {"interval", {number_or_null(point.power.low), number_or_null(point.power.high)}},
                     {"power_at_low", number_or_null(point.low)},
                     {"power_at_high", number_or_null(point.high)}});
  return {{"schema", "retrial.power/1"},
          {"design", "pilot"},
          {"test", pilot.plan.test},
          {"candidate", pilot.candidate},
          {"baseline", pilot.baseline},
          {"claim", variance::name_of(pilot.plan.claim)},
          {"alpha", results::rounded10(pilot.plan.settings.alpha)},
          {"pilot_runs", {std::ssize(pilot.runs.candidate), std::ssize(pilot.runs.baseline)}},
          {"effect", results::rounded10(effect.point)},
          {"effect_interval", {number_or_null(effect.low), number_or_null(effect.high)}},
          {"studies", pilot.plan.studies},
          {"seed", results::hex16(pilot.root)},
          {"curve", std::move(curve)},
          {"notes", pilot_notes(pilot)}};
}

report::Section pilot_section(const NamedPilot& pilot, const variance::Estimate& effect,
                              const std::vector<PilotPoint>& points) {
  const bool paired = variance::find_comparison(pilot.plan.test)->pairing == variance::Pairing::paired;
  const std::string unit = pilot.unit.empty() ? "" : " " + difference_unit(pilot.unit);
  report::Section section{.id = "power", .title = "Power of " + pilot.plan.test + " from a pilot, " + pilot.where};
  const std::string claim(variance::name_of(pilot.plan.claim));
  section.blocks.emplace_back(report::Facts{
      {{"claim", pilot.candidate + " is " + claim + (claim == "EQUIVALENT" ? " to " : " than ") + pilot.baseline,
        "alpha " + short_text(pilot.plan.settings.alpha)},
       {"pilot", paired ? counted(std::ssize(pilot.runs.candidate), "pair")
                        : counted(std::ssize(pilot.runs.candidate), "run") + " and " +
                              counted(std::ssize(pilot.runs.baseline), "run")},
       {"its effect", signed_text(effect.point) + unit, interval_line(effect)},
       {"simulation", std::to_string(pilot.plan.studies) + " studies",
        "for each number, runs drawn from the pilot with replacement; seed " + std::to_string(pilot.root) +
            " (--seed repeats the draws)"}}});
  const auto end = [&](const std::optional<double>& bound) {
    return bound ? signed_text(*bound) + unit : std::string("-");
  };
  report::Table table{.caption = "Power (interval: of the simulation alone)",
                      .columns = {report::right(paired ? "pairs" : "runs per variant"),
                                  report::right("power"),
                                  {"95 % CI"},
                                  report::right("if the effect is " + end(effect.low)),
                                  report::right("if it is " + end(effect.high))}};
  for (const auto& point : points)
    table.rows.push_back({std::to_string(point.runs), percent(point.power.point),
                          percent(*point.power.low) + " to " + percent(*point.power.high),
                          point.low ? percent(*point.low) : std::string("-"),
                          point.high ? percent(*point.high) : std::string("-")});
  section.blocks.emplace_back(std::move(table));
  for (const auto& note : pilot_notes(pilot)) section.blocks.emplace_back(report::Warning{note});
  return section;
}

}  // namespace

report::Part pilot_part(const Arguments& arguments) {
  const auto store = arguments.value("pilot");
  if (store && arguments.has("scores"))
    refuse_options(arguments, {"scores"}, {.problem = "contradicts --pilot: a pilot is a store or a file of scores"});
  NamedPilot pilot = store ? stored_pilot(arguments, *store) : scores_pilot(arguments);
  const auto fewest = std::min(std::ssize(pilot.runs.candidate), std::ssize(pilot.runs.baseline));
  if (fewest < min_pilot_runs)
    refuse_pilot(pilot.where, "pilot",
                 "has " + counted(fewest, "run") + " with a score: at least five are needed to draw from",
                 "run more pairs, or plan by a difference that matters: retrial power --design paired_t --effect 0.5");
  const auto comparison = "comparison:" + pilot.candidate + "|" + pilot.baseline;
  pilot.plan.key = variance::derive(variance::derive(pilot.root, std::string_view(comparison)), "pilot");
  const auto n = arguments.integer("n", variance::find_comparison(pilot.plan.test)->min_runs, 100'000);
  const auto effect = variance::pilot_effect(pilot.runs, pilot.plan);
  pilot.plan.claim = variance::pilot_claim(effect, pilot.plan);
  const auto points = pilot_points(pilot, effect, n);
  return {.section = pilot_section(pilot, effect, points), .data = pilot_document(pilot, effect, points)};
}

}  // namespace retrial::harness::inline planning
