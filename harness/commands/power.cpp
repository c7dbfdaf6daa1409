#include <algorithm>

#include "harness/command_line/command.hpp"
#include "harness/planning/power_plan.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/designs/planned_tests.hpp"
#include "variance/designs/power.hpp"

namespace retrial::harness::inline commands {
namespace {

constexpr std::int64_t max_pairs = 200'000;

double rounded(double value) {
  return results::rounded10(value);
}

std::vector<std::string> planned_names() {
  std::vector<std::string> names;
  for (const auto& test : variance::all_planned_tests()) names.emplace_back(test.name);
  return names;
}

std::vector<double> four_numbers(const std::string& text) {
  std::vector<double> out;
  const auto parts = comma_parts(text);
  for (const std::string& part : parts)
    if (const auto value = results::parse_double(part)) out.push_back(*value);
  if (out.size() == 4 && parts.size() == 4) return out;
  throw Error({.code = "usage.option_value",
               .field = "--allocate",
               .value = results::one_line(text, 100),
               .problem = "needs four numbers",
               .allowed = "T,BETWEEN,WITHIN,SE: cost of a search in trainings, variance between and within searches, "
                          "target standard error"});
}

report::Part allocate_part(const Arguments& arguments, const std::string& text) {
  refuse_options(arguments, {"gamma", "alpha", "beta", "sides", "design", "n", "effect", "margin", "overlap"},
                 {.problem = "cannot be combined with --allocate, which plans for a standard error"});
  const auto v = four_numbers(text);
  const auto plan = variance::allocate_runs(v[0], v[1], v[2], v[3]);
  const bool bounded = v[1] > 0.0;
  return {.section = report::Section{.id = "allocate",
                                     .title = "Cheapest plan for this standard error",
                                     .blocks = {report::Facts{{{"searches", std::to_string(plan.searches),
                                                                short_text(plan.searches_needed) + " needed"},
                                                               {"runs per search", std::to_string(plan.runs_per_search),
                                                                bounded ? "optimum " + short_text(plan.optimum) : ""},
                                                               {"trainings", short_text(plan.trainings, 10)}}}}},
          .data = {{"schema", "retrial.power/1"},
                   {"design", "allocate"},
                   {"optimum", bounded ? Json(rounded(plan.optimum)) : Json()},
                   {"runs_per_search", plan.runs_per_search},
                   {"searches_needed", rounded(plan.searches_needed)},
                   {"searches", plan.searches},
                   {"trainings", rounded(plan.trainings)}}};
}

/// Options of a pilot and of the test that is planned from it.
std::vector<Option> pilot_options() {
  std::vector<Option> options{
      {.name = "pilot",
       .value_name = "STORE",
       .meaning = "power by simulation: runs are drawn from those of this store's study"},
      {.name = "scores",
       .value_name = "FILE",
       .meaning = "the same, from a file of scores: FILE or VARIANT=FILE",
       .repeats = true},
      {.name = "test",
       .value_name = "NAME",
       .meaning = "test to plan (retrial list tests; default: that of the design, else pab_exact or brunner_munzel)"},
      {.name = "studies", .value_name = "K", .meaning = "number of simulated studies for each power (default 1000)"},
      {.name = "metric", .value_name = "NAME", .meaning = "metric of the pilot (default: the declared one)"},
      {.name = "baseline", .value_name = "VARIANT", .meaning = "variant that the candidate is compared with"},
      {.name = "candidate", .value_name = "VARIANT", .meaning = "variant that the claim is about"},
      study_option(),
      {.name = "task", .value_name = "NAME", .meaning = "with --scores: this task"}};
  const auto elsewhere =
      std::vector<std::string>{"alpha", "beta", "gamma", "sides", "overlap", "margin", "bayes", "aso"};
  for (const Option& option : test_options() + score_file_options())
    if (std::ranges::find(elsewhere, option.name) == elsewhere.end()) options.push_back(option);
  return options;
}

bool from_pilot(const Arguments& arguments) {
  return arguments.has("pilot") || arguments.has("scores");
}

/// The options of pilot_options() change nothing without a pilot.
void refuse_pilot_options(const Arguments& arguments) {
  std::vector<std::string> names;
  for (const Option& option : pilot_options()) names.push_back(option.name);
  refuse_options(arguments, names, {.problem = "needs a pilot: --pilot STORE or --scores FILE"});
}

PowerPlan plan_of(const Arguments& arguments) {
  const workloads::Range level{0, 0.5, true, true};
  const PlanLevels levels{.alpha = arguments.number("alpha", level).value_or(0.05),
                          .beta = arguments.number("beta", level).value_or(0.05),
                          .gamma = arguments.number("gamma", {0.5, 1, true, true}),
                          .two_sided = arguments.value("sides") == "two"};
  const std::string design = arguments.value("design").value_or("exact");
  if (variance::find_planned_test(design) != nullptr) return test_plan(arguments, design, levels);
  refuse_options(
      arguments, {"effect", "margin", "overlap"},
      {.problem = "is for a test: --design " + results::joined(planned_names()) + "; the sign rules use --gamma"});
  return win_plan(design, levels, arguments.integer("n", 1, max_pairs));
}

std::vector<std::string> design_choices() {
  auto names = planned_names();
  names.insert(names.begin(), {"exact", "sign_pairs", "wmw_per_group"});
  return names;
}

int run_power(const Arguments& arguments) {
  refuse_extra(arguments, 0, "power [OPTIONS]");
  if (from_pilot(arguments)) {
    refuse_options(arguments, {"design", "effect", "allocate"}, {.problem = "contradicts a pilot"});
    print_part(pilot_part(arguments), arguments.has("json"));
    return 0;
  }
  refuse_pilot_options(arguments);
  const auto text = arguments.value("allocate");
  print_part(text ? allocate_part(arguments, *text) : power_part(plan_of(arguments)), arguments.has("json"));
  return 0;
}

}  // namespace

Command power_command() {
  return {
      .name = "power",
      .group = "judge",
      .purpose = "compute how many runs a comparison needs, and what effect a given number can detect",
      .examples = {"retrial power", "retrial power --gamma 0.7 --beta 0.2", "retrial power --n 20",
                   "retrial power --design paired_t --effect 0.5",
                   "retrial power --design wilcoxon --effect 0.5 --n 20", "retrial power --design tost --margin 0.5",
                   "retrial power --pilot quickstart.db --test paired_t",
                   "retrial power --scores scores.csv --test welch --higher --seed 1",
                   "retrial power --allocate 100,1e-4,4e-4,0.005"},
      .arguments = "",
      .options =
          std::vector<Option>{
              {.name = "gamma",
               .value_name = "G",
               .meaning =
                   "smallest meaningful share of pairs won: the rule is pab_exact (default: the sign test, and 0.75 "
                   "assumed)"},
              {.name = "alpha", .value_name = "A", .meaning = "false-positive rate (default 0.05)"},
              {.name = "beta", .value_name = "B", .meaning = "rate of missed meaningful differences (default 0.05)"},
              {.name = "sides",
               .value_name = "WHICH",
               .meaning = "alpha for each of BETTER and WORSE (one, the default), or for both together (two)",
               .choices = {"one", "two"}},
              {.name = "design",
               .value_name = "NAME",
               .meaning =
                   "exact rule on pairs won (default), its normal approximation, that of unpaired runs, or a test",
               .choices = design_choices()},
              {.name = "n",
               .value_name = "N",
               .meaning = "show what this number of pairs (or runs per variant) can detect"},
              {.name = "effect",
               .value_name = "D",
               .meaning =
                   "tests only: true difference of means in standard deviations, of the paired differences or of "
                   "the runs of one variant (tost and welch_tost: default 0)"},
              {.name = "margin",
               .value_name = "M",
               .meaning =
                   "tost, welch_tost: margin in the same standard deviations; with a pilot in the unit of the scores"},
              {.name = "overlap",
               .value_name = "R",
               .meaning = "corrected_t: test rows over training rows of the splits"},
              {.name = "allocate",
               .value_name = "T,SB2,SW2,SE",
               .meaning = "number of searches and runs for a target standard error SE: T is the cost of a search in "
                          "trainings, SB2 and SW2 the variance between and within searches"},
              {.name = "json", .meaning = "one JSON document (schema retrial.power/1)"}} +
          under("Power from a pilot", pilot_options()),
      .run = run_power};
}

}  // namespace retrial::harness::inline commands
