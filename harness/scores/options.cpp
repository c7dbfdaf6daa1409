#include "harness/scores/options.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "results/error.hpp"
#include "results/text.hpp"
#include "variance/design_family.hpp"
#include "variance/method_table.hpp"

namespace retrial::harness {
namespace {

using variance::Direction;
using variance::FailurePolicy;
using variance::WinMethod;

constexpr std::array<std::pair<const char*, const char*>, 3> bayes_tests{
    {{"correlated_t", "bayes_t"}, {"sign", "bayes_sign"}, {"signed_rank", "bayes_signed_rank"}}};
constexpr std::array<std::pair<const char*, WinMethod>, 4> intervals{{{"clopper_pearson", WinMethod::clopper_pearson},
                                                                      {"mid_p", WinMethod::mid_p},
                                                                      {"wilson", WinMethod::wilson},
                                                                      {"percentile", WinMethod::percentile}}};
constexpr std::array<std::pair<const char*, FailurePolicy>, 3> policies{
    {{"loss", FailurePolicy::loss}, {"drop", FailurePolicy::drop}, {"refuse", FailurePolicy::refuse}}};

[[noreturn]] void refuse(const std::string& option, const std::string& problem, const std::string& allowed = "") {
  throw Error({.code = "usage.option_value", .field = option, .problem = problem, .allowed = allowed});
}

std::vector<std::string> adjustment_names() {
  std::vector<std::string> names;
  for (const auto& row : variance::all_adjustments()) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> sequential_family_names() {
  std::vector<std::string> names;
  for (const auto& family : variance::all_design_families())
    if (family.sequential()) names.emplace_back(family.name);
  return names;
}

}  // namespace

std::vector<std::string> all_test_names() {
  std::vector<std::string> names;
  for (const auto& row : variance::all_comparisons()) names.emplace_back(row.name);
  for (const auto& row : variance::all_omnibus_tests()) names.emplace_back(row.name);
  return names;
}

std::vector<Option> test_options() {
  return {
      {.name = "higher", .meaning = "with --scores: higher scores are better"},
      {.name = "lower", .meaning = "with --scores: lower scores are better"},
      {.name = "bayes",
       .value_name = "MODEL",
       .meaning = "a Bayesian test: probabilities of worse, practically the same (--rope) and better",
       .choices = {"correlated_t", "sign", "signed_rank", "hierarchical"}},
      {.name = "aso", .meaning = "almost stochastic order, of pairs where there are pairs"},
      {.name = "alpha", .value_name = "A", .meaning = "of a test: chance of a false claim, 0 < A < 0.5 (default 0.05)"},
      {.name = "sides",
       .value_name = "WHICH",
       .meaning = "of a test: alpha for each of better and worse (one, the default), or for both together",
       .choices = {"one", "two"}},
      {.name = "beta",
       .value_name = "X",
       .meaning = "of pab_exact: rate of NOT MEANINGFUL said at gamma (default 0.05)"},
      {.name = "gamma", .value_name = "G", .meaning = "of pab_exact: smallest share of pairs won that matters"},
      {.name = "margin", .value_name = "M", .meaning = "difference that does not matter, in the unit of the scores"},
      {.name = "resolution", .value_name = "R", .meaning = "smallest step of the scores: within half of it they tie"},
      {.name = "interval",
       .value_name = "METHOD",
       .meaning = "of tests that count pairs: interval of the share won (default clopper_pearson)",
       .choices = {"clopper_pearson", "mid_p", "wilson", "percentile"}},
      {.name = "overlap", .value_name = "R", .meaning = "of corrected_t: test rows over train rows of the splits"},
      {.name = "rope", .value_name = "W", .meaning = "of Bayesian tests: half width of practical equivalence"},
      {.name = "rho", .value_name = "R", .meaning = "of bayes_t: correlation of runs that share training rows"},
      {.name = "tau", .value_name = "T", .meaning = "of aso: dominance is claimed below it (default 0.2)"},
      {.name = "reps", .value_name = "K", .meaning = "draws of tests and intervals that draw (default 10000, 50000)"},
      {.name = "seed", .value_name = "N", .meaning = "root seed of the draws (default: drawn and printed)"},
  };
}

std::vector<Option> score_options() {
  return {
      {.name = "family",
       .value_name = "NAME",
       .meaning = "with --scores: judge by a design that stops on the way (retrial list designs), pair by pair",
       .choices = sequential_family_names()},
      {.name = "n-max",
       .value_name = "N",
       .meaning = "of --family: most pairs that were declared (default: those there)"},
      {.name = "band",
       .value_name = "LOW,HIGH",
       .meaning = "of --family dual_e: shares of pairs won that count as equal"},
      {.name = "range",
       .value_name = "LOW,HIGH",
       .meaning = "of --family betting: least and largest score there can be"},
      {.name = "spending",
       .value_name = "NAME",
       .meaning = "of --family group_sequential: strict early (default), or early stopping",
       .choices = {"obrien_fleming", "pocock"}},
      {.name = "adjust",
       .value_name = "HOW",
       .meaning =
           "correction for several claims: of a store, every variant against the baseline; with --scores over tasks "
           "or candidates (default holm)",
       .choices = adjustment_names()},
      {.name = "aggregate",
       .value_name = "WHAT",
       .meaning = "with --scores: one number over all tasks, and the interval of the difference",
       .choices = {"mean", "median", "iqm", "gap", "poi", "profile"}},
      {.name = "task-bootstrap", .meaning = "of --aggregate: resample tasks too, for a claim about further tasks"},
      {.name = "method",
       .value_name = "METHOD",
       .meaning = "of --aggregate: kind of bootstrap interval (default percentile)",
       .choices = {"percentile", "basic", "bca"}},
      {.name = "target", .value_name = "G", .meaning = "of --aggregate gap: score at which nothing is missing (1)"},
      {.name = "task", .value_name = "NAME", .meaning = "with --scores: this task only"},
      {.name = "within",
       .value_name = "WHAT",
       .meaning = "with --scores: what the scores of one cluster become, one observation (default mean)",
       .choices = {"mean", "median"}},
      {.name = "failure",
       .value_name = "POLICY",
       .meaning = "with --scores: a run without a score loses (default), is left out, or makes the verdict INVALID",
       .choices = {"loss", "drop", "refuse"}},
  };
}

std::optional<Direction> direction_given(const Arguments& arguments) {
  if (arguments.has("higher") && arguments.has("lower")) refuse("--lower", "contradicts --higher");
  if (arguments.has("higher")) return Direction::higher;
  return arguments.has("lower") ? std::optional(Direction::lower) : std::nullopt;
}

Direction direction_of(const Arguments& arguments, Direction known) {
  if (const auto direction = direction_given(arguments)) return *direction;
  if (known != Direction::none) return known;
  throw Error({.code = "metric.no_direction",
               .field = "--higher or --lower",
               .problem = "must be given: it says which scores are better"});
}

void take_options(const Arguments& arguments, variance::TestSettings& settings) {
  constexpr std::int64_t most_resamples = 1'000'000'000;
  const workloads::Range level{0, 0.5, true, true}, any{0, 1e300, true, true};
  settings.alpha = arguments.number("alpha", level).value_or(settings.alpha);
  settings.beta = arguments.number("beta", level).value_or(settings.beta);
  settings.gamma = arguments.number("gamma", {0.5, 1, true, true}).value_or(settings.gamma);
  if (const auto margin = arguments.number("margin", any)) settings.margin = margin;
  if (const auto overlap = arguments.number("overlap", {0, 1e6, false, true})) settings.overlap = overlap;
  settings.rope = arguments.number("rope", {0, 1e300, false, true}).value_or(settings.rope);
  settings.rho = arguments.number("rho", {0, 1, false, true}).value_or(settings.rho);
  settings.tau = arguments.number("tau", {0, 1, true, true}).value_or(settings.tau);
  if (const auto resolution = arguments.number("resolution", any)) settings.resolution = resolution;
  settings.resamples = arguments.integer("reps", 1'000, most_resamples).value_or(settings.resamples);
  if (arguments.value("sides") == "two") settings.sides = variance::Sides::two;
  for (const auto& [name, method] : intervals)
    if (arguments.value("interval") == name) settings.interval = method;
}

std::optional<FailurePolicy> failure_given(const Arguments& arguments) {
  for (const auto& [name, policy] : policies)
    if (arguments.value("failure") == name) return policy;
  return std::nullopt;
}

std::optional<variance::Adjustment> adjustment_given(const Arguments& arguments) {
  for (const auto& row : variance::all_adjustments())
    if (arguments.value("adjust") == std::string(row.name)) return row.adjustment;
  return std::nullopt;
}

std::string_view name_of(variance::Adjustment adjustment) {
  return std::ranges::find(variance::all_adjustments(), adjustment, &variance::AdjustmentRow::adjustment)->name;
}

std::optional<std::string> test_given(const Arguments& arguments, bool paired) {
  const auto bayes = arguments.value("bayes");
  if (static_cast<int>(arguments.has("test")) + static_cast<int>(bayes.has_value()) +
          static_cast<int>(arguments.has("aso")) >
      1)
    refuse(bayes ? "--bayes" : "--aso", "names a test, and so does another option", "one of --test, --bayes, --aso");
  if (arguments.has("aso")) return paired ? "paired_aso" : "aso";
  if (!bayes) return arguments.value("test");
  for (const auto& [name, test] : bayes_tests)
    if (*bayes == name) return test;
  throw Error({.code = "usage.option_value",
               .field = "--bayes",
               .value = *bayes,
               .problem = "needs several tasks with several runs each",
               .help = "give them as CSV: retrial compare --scores FILE.csv --bayes hierarchical, with the columns "
                       "variant,pair,task,score"});
}

void require_interval_fits(const Arguments& arguments, const variance::ComparisonTest& test) {
  if (!arguments.has("interval") || test.win_share) return;
  std::string fitting;
  for (const auto& row : variance::all_comparisons())
    if (row.win_share) fitting += (fitting.empty() ? "" : ", ") + std::string(row.name);
  refuse("--interval", "belongs to tests that count the pairs won, and " + std::string(test.name) + " does not",
         fitting);
}

std::size_t place_of_variant(const ScoreNames& file, const std::string& option, const std::string& name) {
  const auto found = std::find(file.names.begin(), file.names.end(), name);
  if (found != file.names.end()) return static_cast<std::size_t>(found - file.names.begin());
  const auto near = results::nearest(name, file.names);
  throw Error({.code = "variant.unknown",
               .field = option,
               .value = results::one_line(name, 100),
               .problem = "no such variant in " + file.where,
               .allowed = results::joined(file.names),
               .help = near ? "did you mean " + option + " " + *near + "?" : ""});
}

Sides sides_of(const ScoreNames& file, const Arguments& arguments) {
  Sides sides;
  const auto baseline = arguments.value("baseline"), candidate = arguments.value("candidate");
  if (baseline) sides.baseline = place_of_variant(file, "--baseline", *baseline);
  if (candidate) sides.candidate = place_of_variant(file, "--candidate", *candidate);
  if (!baseline && sides.baseline == sides.candidate) sides.baseline = sides.candidate == 0 ? 1 : 0;
  if (!candidate && sides.baseline == sides.candidate) sides.candidate = sides.baseline == 0 ? 1 : 0;
  if (sides.baseline == sides.candidate)
    throw Error({.code = "compare.same_variant",
                 .field = "--candidate",
                 .value = file.names[sides.candidate],
                 .problem = "is the baseline too",
                 .allowed = results::joined(file.names)});
  if (file.names.size() > 2 && !(baseline && candidate))
    throw Error({.code = "compare.which",
                 .where = file.where,
                 .problem = "holds " + std::to_string(file.names.size()) + " variants",
                 .allowed = results::joined(file.names),
                 .help =
                     "name two with --baseline and --candidate, hold each against the baseline with --adjust holm, or "
                     "test all with --test iman_davenport"});
  return sides;
}

}  // namespace retrial::harness
