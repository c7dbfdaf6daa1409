#include "harness/scores/selection/options.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/study/declared/design_table.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/tables/method_table.hpp"

namespace retrial::harness::inline scores::inline selection {
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
/// Options that only some tests read: variance::ComparisonTest::reads.
constexpr std::array test_settings{"margin", "overlap", "rope",       "rho",      "tau",
                                   "beta",   "gamma",   "resolution", "interval", "reps"};

[[noreturn]] void refuse_option(const std::string& option, const std::string& problem,
                                const std::string& allowed = "") {
  throw Error({.code = "usage.option_value", .field = option, .problem = problem, .allowed = allowed});
}

}  // namespace

ColumnRoles roles_given(const Arguments& arguments) {
  const auto text = arguments.value("columns");
  return text ? roles_from(*text) : ColumnRoles{};
}

std::optional<Direction> direction_given(const Arguments& arguments) {
  if (arguments.has("higher") && arguments.has("lower")) refuse_option("--lower", "contradicts --higher");
  if (arguments.has("higher")) return Direction::higher;
  return arguments.has("lower") ? std::optional(Direction::lower) : std::nullopt;
}

Direction direction_of(const Arguments& arguments, Direction known) {
  if (const auto direction = direction_given(arguments)) return *direction;
  const auto* test = variance::find_comparison(arguments.value("test").value_or(""));
  // Spread is spread in either direction.
  if (known == Direction::none && test != nullptr && test->about == variance::About::spread) return Direction::higher;
  if (known != Direction::none) return known;
  throw Error({.code = "metric.no_direction",
               .field = "--higher or --lower",
               .problem = "must be given: it states which scores are better"});
}

void take_options(const Arguments& arguments, variance::TestSettings& settings) {
  constexpr std::int64_t max_resamples = 1'000'000'000;
  const workloads::Range level{0, 0.5, true, true}, any{0, 1e300, true, true};
  settings.alpha = arguments.number("alpha", level).value_or(settings.alpha);
  settings.beta = arguments.number("beta", level).value_or(settings.beta);
  if (const auto gamma = arguments.number("gamma", {0.5, 1, true, true})) settings.gamma = gamma;
  if (const auto margin = arguments.number("margin", any)) settings.margin = margin;
  if (const auto overlap = arguments.number("overlap", {0, 1e6, false, true})) settings.overlap = overlap;
  settings.rope = arguments.number("rope", {0, 1e300, false, true}).value_or(settings.rope);
  settings.rho = arguments.number("rho", {0, 1, false, true}).value_or(settings.rho);
  settings.tau = arguments.number("tau", {0, 1, true, true}).value_or(settings.tau);
  if (const auto resolution = arguments.number("resolution", any)) settings.resolution = resolution;
  settings.resamples = arguments.integer("reps", 1'000, max_resamples).value_or(settings.resamples);
  if (arguments.value("sides") == "two") settings.sides = variance::Sides::two;
  for (const auto& [name, method] : intervals)
    if (arguments.value("interval") == name) settings.interval = method;
}

std::optional<FailurePolicy> failure_given(const Arguments& arguments) {
  const auto word = arguments.value("failure");
  if (!word) return std::nullopt;
  variance::Design design;
  design_field("failure").set(*word, design);
  return design.failure;
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
    refuse_option(bayes ? "--bayes" : "--aso", "selects a test, but another option does too",
                  "one of --test, --bayes, --aso");
  if (arguments.has("aso")) return paired ? "paired_aso" : "aso";
  if (!bayes) return arguments.value("test");
  for (const auto& [name, test] : bayes_tests)
    if (*bayes == name) return test;
  throw Error({.code = "usage.option_value",
               .field = "--bayes",
               .value = *bayes,
               .problem = "needs several tasks with several runs each",
               .help = "give them as CSV with the columns variant,pair,task,score: retrial compare --scores FILE.csv "
                       "--bayes hierarchical"});
}

void require_options_fit(const Arguments& arguments, const variance::ComparisonTest& test,
                         const variance::TestSettings& settings) {
  for (const char* name : test_settings) {
    if (!arguments.has(name) || test.reads_setting(name)) continue;
    std::vector<std::string> readers;
    for (const auto& row : variance::all_comparisons())
      if (row.reads_setting(name)) readers.emplace_back(row.name);
    refuse_option("--" + std::string(name), "is not used by test " + std::string(test.name), results::joined(readers));
  }
  if (arguments.has("require") && test.about == variance::About::spread)
    throw Error({.code = "usage.option_value",
                 .field = "--require",
                 .value = *arguments.value("require"),
                 .problem = "is about the level of the scores, and test " + std::string(test.name) +
                            " is about their spread: its verdict is STEADIER or LESS STEADY",
                 .help = "leave --require out, or require it of a test of the level"});
  if (arguments.has("beta") && !settings.gamma)
    refuse_option("--beta", "is the rate of missed advantages of gamma, and no gamma is given: add --gamma 0.75");
  const bool margin = test.needs == "margin" && !settings.margin,
             overlap = test.needs == "overlap" && !settings.overlap;
  if (margin || overlap)
    throw Error({.code = "usage.option_value",
                 .field = "--" + std::string(test.needs),
                 .problem = "must be given for test " + std::string(test.name),
                 .help = overlap ? "test rows / training rows of the splits; 0.582 for out-of-bootstrap splits"
                                 : "the largest difference that does not matter, in the unit of the scores"});
}

void refuse_options_of_aggregates(const Arguments& arguments) {
  refuse_options(arguments, {"task-bootstrap", "method", "target"}, {.problem = "applies only to --aggregate"});
}

std::vector<std::string> settings_of_tests() {
  return {test_settings.begin(), test_settings.end()};
}

void refuse_test_settings(const Arguments& arguments, const std::string& of) {
  refuse_options(arguments, settings_of_tests(), {.problem = "does not apply to " + of});
}

std::size_t place_of_variant(const ScoreNames& file, const std::string& option, const std::string& name) {
  const auto found = std::find(file.names.begin(), file.names.end(), name);
  if (found != file.names.end()) return static_cast<std::size_t>(found - file.names.begin());
  const auto near = results::nearest(name, file.names);
  throw Error({.code = "variant.unknown",
               .field = option,
               .value = results::one_line(name, 100),
               .problem = "no such variant in " + file.where,
               .allowed = results::one_line(results::joined(file.names), 400),
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
                 .problem = "is also the baseline",
                 .allowed = results::one_line(results::joined(file.names), 400)});
  if (file.names.size() > 2 && !(baseline && candidate))
    throw Error({.code = "compare.which",
                 .where = file.where,
                 .problem = "holds " + std::to_string(file.names.size()) + " variants",
                 .allowed = results::one_line(results::joined(file.names), 400),
                 .help = "name two with --baseline and --candidate, compare each with the baseline with --adjust holm, "
                         "or test all: --test iman_davenport for pairs or tasks, --test kruskal_wallis for independent "
                         "runs"});
  return sides;
}

}  // namespace retrial::harness::inline scores::inline selection
