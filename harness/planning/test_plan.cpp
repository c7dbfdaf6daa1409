#include "harness/planning/power_plan.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/designs/planned_tests.hpp"
#include "variance/designs/power.hpp"

namespace retrial::harness::inline planning {
namespace {

using variance::PlannedTest;
using variance::PowerSettings;

Json rounded_or_null(const std::optional<double>& value) {
  return value ? Json(results::rounded10(*value)) : Json();
}

PowerSettings settings_of_plan(const Arguments& arguments, const PlannedTest& test, const PlanLevels& levels) {
  PowerSettings settings{.alpha = levels.alpha,
                         .beta = levels.beta,
                         .sides = levels.two_sided ? variance::Sides::two : variance::Sides::one};
  if (test.overlap) {
    const auto overlap = arguments.number("overlap", {0, 1e6, true, true});
    if (!overlap)
      throw Error({.code = "usage.missing_option",
                   .field = "--overlap",
                   .problem = "missing: " + std::string(test.name) + " is for runs whose training sets overlap",
                   .help = "test rows / training rows of the splits; 0.582 for out-of-bootstrap splits"});
    settings.overlap = *overlap;
  }
  if (test.equivalence) settings.difference = arguments.number("effect", {0, 1e6, false, false}).value_or(0.0);
  return settings;
}

void refuse_unread(const Arguments& arguments, const PlannedTest& test) {
  const std::string name = "test " + std::string(test.name);
  refuse_options(arguments, {"gamma"}, {.problem = "is for rules that count pairs won, not for " + name});
  if (!test.overlap)
    refuse_options(arguments, {"overlap"}, {.problem = "is for --design corrected_t, not for " + name});
  if (!test.equivalence)
    refuse_options(arguments, {"margin"}, {.problem = "is for --design tost and welch_tost, not for " + name});
  else
    refuse_options(arguments, {"sides"}, {.problem = "does not apply to " + name + ": both of its tests have alpha"});
}

/// Power of the largest number of runs that is ever planned: the limit, where the runs share training rows.
std::string largest_power(const PlannedTest& test, double size, const PowerSettings& settings) {
  return percent(test.power(variance::max_planned_runs, size, settings));
}

}  // namespace

PowerPlan test_plan(const Arguments& arguments, const std::string& design, const PlanLevels& levels) {
  const PlannedTest& test = *variance::find_planned_test(design);
  refuse_unread(arguments, test);
  const PowerSettings settings = settings_of_plan(arguments, test, levels);
  const std::string option = test.equivalence ? "margin" : "effect", noun = test.equivalence ? "margin" : "difference";
  const auto size = arguments.number(option, {0, 1e6, true, false});
  const auto n = arguments.integer("n", test.min_runs, 200'000);
  if (!size && !n)
    throw Error({.code = "usage.missing_option",
                 .field = "--" + option + " or --n",
                 .problem = "missing: this design needs a " + noun + " in standard deviations, or a number of runs"});
  const bool paired = test.pairing == variance::Pairing::paired;
  PowerPlan plan{.unit = paired ? "pair" : "run per variant", .given = n};
  plan.rule = design + ", alpha " + short_text(levels.alpha) +
              (levels.two_sided   ? " for BETTER and WORSE together"
               : test.equivalence ? " for each of its two tests"
                                  : "") +
              "; power by the " + std::string(test.law);
  plan.power = [&test, settings, size](std::int64_t runs) { return test.power(runs, *size, settings); };
  const std::string claim = test.equivalence ? "to show a difference within " : "to detect a difference of ";
  plan.title = design;
  plan.data = {{"design", design},
               {"alpha", results::rounded10(levels.alpha)},
               {"beta", results::rounded10(levels.beta)},
               {"sides", levels.two_sided ? "two" : "one"},
               {"effect", test.equivalence ? Json(settings.difference) : rounded_or_null(size)},
               {"margin", test.equivalence ? rounded_or_null(size) : Json()},
               {"overlap", test.overlap ? Json(settings.overlap) : Json()},
               {"law", test.law},
               {"given", nullptr}};
  if (size) {
    plan.runs = variance::runs_for(test, *size, settings);
    for (const std::int64_t runs : {2, 3, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100})
      if (runs >= test.min_runs) plan.at.push_back(runs);
    const std::string number =
        plan.runs ? (paired ? counted(*plan.runs, "pair") : counted(*plan.runs, "run") + " per variant")
                  : "No number of runs up to a million";
    plan.title = number + " " + claim + short_text(*size) + " sd with power " + percent(1.0 - levels.beta);
    plan.facts.push_back({"sd", paired ? "that of the paired differences" : "that of the runs of one variant"});
    if (plan.runs)
      plan.facts.push_back({"power", percent(test.power(*plan.runs, *size, settings))});
    else
      plan.facts.push_back({"power of a million", largest_power(test, *size, settings)});
    if (test.equivalence) plan.facts.push_back({"true difference", short_text(settings.difference)});
  }
  if (n) {
    const auto detectable = variance::detectable_size(test, *n, settings);
    if (size) plan.found.push_back({"power", percent(plan.power(*n))});
    plan.found.push_back({"smallest " + noun + " with power " + percent(1.0 - levels.beta),
                          detectable ? short_text(*detectable) + " sd" : std::string("none")});
    plan.data["given"] = {{"runs", *n},
                          {"power", size ? Json(results::rounded10(plan.power(*n))) : Json()},
                          {"detectable_effect", test.equivalence ? Json() : rounded_or_null(detectable)},
                          {"detectable_margin", test.equivalence ? rounded_or_null(detectable) : Json()}};
  }
  if (test.overlap)
    plan.notes.emplace_back(
        "runs that share training rows have a limit to their power: more of them do not replace fresh data");
  return plan;
}

}  // namespace retrial::harness::inline planning
