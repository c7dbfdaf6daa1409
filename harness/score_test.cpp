#include "harness/score_test.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "harness/entropy.hpp"
#include "harness/output.hpp"
#include "results/error.hpp"
#include "results/text.hpp"
#include "variance/rng.hpp"

namespace retrial::harness {
namespace {

using variance::Direction;
using variance::Pairing;
using variance::Status;

constexpr std::int64_t most_resamples = 1'000'000'000;

std::optional<Direction> direction_given(const Arguments& arguments) {
  if (arguments.has("higher") && arguments.has("lower"))
    throw Error({.code = "usage.option_value", .field = "--lower", .problem = "contradicts --higher"});
  if (arguments.has("higher")) return Direction::higher;
  return arguments.has("lower") ? std::optional(Direction::lower) : std::nullopt;
}

Direction direction_of_scores(const Arguments& arguments) {
  if (const auto direction = direction_given(arguments)) return *direction;
  throw Error({.code = "metric.no_direction",
               .field = "--higher or --lower",
               .problem = "must be given: it says which scores are better"});
}

/// Options over what a design declares; ranges that belong to one test are checked by it.
void take_options(const Arguments& arguments, variance::TestSettings& settings) {
  const workloads::Range level{0, 0.5, true, true}, any{0, 1e300, true, true};
  settings.alpha = arguments.number("alpha", level).value_or(settings.alpha);
  settings.gamma = arguments.number("gamma", {0.5, 1, true, true}).value_or(settings.gamma);
  if (const auto margin = arguments.number("margin", any)) settings.margin = margin;
  if (const auto overlap = arguments.number("overlap", {0, 1e6, false, true})) settings.overlap = overlap;
  settings.rope = arguments.number("rope", {0, 1e300, false, true}).value_or(settings.rope);
  settings.rho = arguments.number("rho", {0, 1, false, true}).value_or(settings.rho);
  settings.tau = arguments.number("tau", {0, 1, true, true}).value_or(settings.tau);
  if (const auto resolution = arguments.number("resolution", any)) settings.resolution = resolution;
  settings.resamples = arguments.integer("resamples", 1'000, most_resamples).value_or(settings.resamples);
  if (arguments.value("sides") == "two") settings.sides = variance::Sides::two;
}

std::size_t named(const ScoreFile& file, const std::string& option, const std::string& name) {
  const auto found = std::find(file.names.begin(), file.names.end(), name);
  if (found != file.names.end()) return static_cast<std::size_t>(found - file.names.begin());
  const auto near = results::nearest(name, file.names);
  throw Error({.code = "variant.unknown",
               .field = option,
               .value = results::one_line(name, 100),
               .problem = "no such variant in " + file.path.string(),
               .allowed = results::joined(file.names),
               .help = near ? "did you mean " + option + " " + *near + "?" : ""});
}

struct Sides {
  std::size_t baseline = 0, candidate = 1;
};

/// Named ones first; else the first of the file is the baseline and the next one the candidate.
Sides sides_of(const ScoreFile& file, const Arguments& arguments) {
  Sides sides;
  const auto baseline = arguments.value("baseline"), candidate = arguments.value("candidate");
  if (baseline) sides.baseline = named(file, "--baseline", *baseline);
  if (candidate) sides.candidate = named(file, "--candidate", *candidate);
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
                 .where = file.path.string(),
                 .problem = "holds " + std::to_string(file.names.size()) + " variants",
                 .allowed = results::joined(file.names),
                 .help = "name two with --baseline and --candidate, or test all with --test iman_davenport"});
  return sides;
}

std::string default_test(const ScoreFile& file, const Arguments& arguments) {
  const bool two_named = arguments.has("baseline") && arguments.has("candidate");
  if (file.grouped) return "brunner_munzel";
  return file.names.size() > 2 && !two_named ? "iman_davenport" : "pab_exact";
}

[[noreturn]] void refuse_pairing(const std::string& test, const ScoreFile& file) {
  std::vector<std::string> unpaired;
  for (const auto& row : variance::all_comparisons())
    if (row.pairing == Pairing::unpaired) unpaired.emplace_back(row.name);
  throw Error({.code = "compare.not_paired",
               .field = "--test",
               .value = test,
               .problem = "needs pairs, and lines of group,score do not say which scores belong together",
               .allowed = results::joined(unpaired),
               .help = "for pairs give " + file.path.string() + " a column a variant and a line a pair"});
}

/// The key is of these two names under the root seed, so that every test of them draws the same.
void run_test(ScoreTest& test, const std::string& name, std::vector<double> candidate, std::vector<double> baseline) {
  const auto comparison = "comparison:" + test.candidate + "|" + test.baseline;
  test.settings.key = variance::derive(test.root, std::string_view(comparison));
  test.outcome = variance::compare(name, std::move(candidate), std::move(baseline), test.settings);
}

Exit exit_of(const variance::TestOutcome& outcome, Requirement requirement) {
  if (requirement == Requirement::nothing) return Exit::ok;
  if (outcome.status == Status::invalid) return Exit::incomparable;
  if (outcome.status == Status::inconclusive || outcome.status == Status::not_meaningful) return Exit::inconclusive;
  const bool not_worse = outcome.status != Status::worse;
  const Status wanted = requirement == Requirement::better ? Status::better : Status::equivalent;
  const bool met = requirement == Requirement::not_worse ? not_worse : outcome.status == wanted;
  return met ? Exit::ok : Exit::different;
}

template <typename Test>
void print(const Arguments& arguments, const Test& test) {
  if (arguments.has("json"))
    print_json(test_document(test));
  else
    std::cout << test_page(test);
}

Exit compare_two(const Arguments& arguments, const ScoreFile& file, const std::string& name) {
  const auto* row = variance::find_comparison(name);
  if (file.grouped && row->pairing == Pairing::paired) refuse_pairing(name, file);
  const Sides sides = sides_of(file, arguments);
  ScoreTest test{.candidate = file.names[sides.candidate], .baseline = file.names[sides.baseline]};
  test.settings.direction = direction_of_scores(arguments);
  take_options(arguments, test.settings);
  const auto& candidate = file.scores[sides.candidate];
  const auto& baseline = file.scores[sides.baseline];
  if (row->pairing == Pairing::paired && candidate.size() != baseline.size())
    throw Error(
        {.code = "compare.unequal",
         .where = file.path.string(),
         .field = test.candidate,
         .value = std::to_string(candidate.size()) + " scores",
         .problem = "a paired test needs as many as " + test.baseline + " has, " + std::to_string(baseline.size())});
  test.root = arguments.has("seed") ? *arguments.u64("seed") : draw_root_seed();
  run_test(test, name, candidate, baseline);
  print(arguments, test);
  return exit_of(test.outcome, requirement_from(arguments.value("require")));
}

Exit compare_many(const Arguments& arguments, const ScoreFile& file, const std::string& name) {
  if (file.grouped)
    throw Error({.code = "compare.not_paired",
                 .field = "--test",
                 .value = name,
                 .problem = "needs a column a method and a line a data set"});
  if (arguments.has("require"))
    throw Error({.code = "usage.option_value",
                 .field = "--require",
                 .problem = "an omnibus test has no candidate; name two variants and a test of two"});
  TableTest test{.test = variance::find_omnibus(name), .direction = direction_of_scores(arguments)};
  test.alpha = arguments.number("alpha", {0, 0.5, true, true}).value_or(test.alpha);
  test.table.methods = file.names;
  const std::size_t sets = file.scores[0].size();
  for (std::size_t m = 1; m < file.names.size(); ++m)
    if (file.scores[m].size() != sets)
      throw Error({.code = "compare.unequal",
                   .where = file.path.string(),
                   .field = file.names[m],
                   .value = std::to_string(file.scores[m].size()) + " scores",
                   .problem = "every method needs as many as " + file.names[0] + " has, " + std::to_string(sets)});
  const double sign = test.direction == Direction::lower ? -1.0 : 1.0;
  for (std::size_t i = 0; i < sets; ++i) {
    test.table.rows.emplace_back();
    for (const auto& column : file.scores) test.table.rows.back().push_back(sign * column[i]);
  }
  variance::require_table(test.table);
  test.result = test.test->run(test.table);
  print(arguments, test);
  return Exit::ok;
}

struct CompletePairs {
  std::vector<double> candidate, baseline;
  std::size_t left_out = 0;
};

CompletePairs complete_pairs(const variance::PairedScores& scores) {
  CompletePairs pairs;
  for (std::size_t i = 0; i < scores.candidate.size(); ++i) {
    const auto& a = scores.candidate[i];
    const auto& b = scores.baseline[i];
    if (a && b && std::isfinite(*a) && std::isfinite(*b)) {
      pairs.candidate.push_back(*a);
      pairs.baseline.push_back(*b);
    } else {
      ++pairs.left_out;
    }
  }
  return pairs;
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
      {.name = "alpha", .value_name = "A", .meaning = "of a test: chance of a false claim, 0 < A < 0.5 (default 0.05)"},
      {.name = "sides",
       .value_name = "WHICH",
       .meaning = "of a test: alpha for each of better and worse (one, the default), or for both together",
       .choices = {"one", "two"}},
      {.name = "gamma", .value_name = "G", .meaning = "of pab_exact: smallest share of pairs won that matters"},
      {.name = "margin", .value_name = "M", .meaning = "difference that does not matter, in the unit of the scores"},
      {.name = "resolution", .value_name = "R", .meaning = "smallest step of the scores: within half of it they tie"},
      {.name = "overlap", .value_name = "R", .meaning = "of corrected_t: test rows over train rows of the splits"},
      {.name = "rope", .value_name = "W", .meaning = "of Bayesian tests: half width of practical equivalence"},
      {.name = "rho", .value_name = "R", .meaning = "of bayes_t: correlation of runs that share training rows"},
      {.name = "tau", .value_name = "T", .meaning = "of aso: dominance is claimed below it (default 0.2)"},
      {.name = "resamples", .value_name = "K", .meaning = "draws of tests that draw (default 10000)"},
      {.name = "seed", .value_name = "N", .meaning = "root seed of the draws (default: drawn and printed)"},
  };
}

Exit compare_scores(const Arguments& arguments) {
  for (const char* option : {"metric", "study"})
    if (arguments.has(option))
      throw Error({.code = "usage.option_value",
                   .field = std::string("--") + option,
                   .problem = "belongs to a store, and --scores reads none"});
  if (!arguments.positional.empty())
    throw Error({.code = "usage.extra_argument",
                 .field = arguments.positional.front(),
                 .problem = "is a store, and --scores reads none",
                 .help = "usage: retrial compare --scores FILE.csv --test NAME --higher"});
  const ScoreFile file = read_scores(*arguments.value("scores"));
  const std::string name = arguments.value("test").value_or(default_test(file, arguments));
  return variance::find_omnibus(name) != nullptr ? compare_many(arguments, file, name)
                                                 : compare_two(arguments, file, name);
}

Exit test_stored(const Arguments& arguments, const StudyView& study, const Comparison& comparison) {
  const std::string name = *arguments.value("test");
  if (variance::find_omnibus(name) != nullptr)
    throw Error({.code = "compare.many",
                 .field = "--test",
                 .value = name,
                 .problem = "tests several methods over data sets",
                 .help = "give it a CSV file: retrial compare --scores FILE.csv --test " + name + " --higher"});
  if (direction_given(arguments))
    throw Error({.code = "usage.option_value",
                 .field = arguments.has("lower") ? "--lower" : "--higher",
                 .problem = "the store knows the direction of metric " + comparison.design.metric});
  ScoreTest test{.candidate = comparison.design.candidate, .baseline = comparison.design.baseline};
  const auto& design = comparison.design;
  test.settings = {.direction = comparison.scores.direction,
                   .alpha = design.alpha,
                   .beta = design.beta,
                   .gamma = design.gamma,
                   .tie_limit = design.tie_limit,
                   .resolution = comparison.scores.resolution,
                   .margin = design.margin};
  take_options(arguments, test.settings);
  test.warnings = comparison.undeclared;
  const auto declared = study.design ? study.design->test : "";
  if (declared != name) test.warnings.push_back("test " + name + " was chosen after the runs");
  auto pairs = complete_pairs(comparison.scores);
  if (pairs.left_out > 0)
    test.warnings.push_back(counted(static_cast<std::int64_t>(pairs.left_out), "pair") +
                            " left out because a trial failed or has no finite score; the verdict without --test "
                            "counts them as the design says");
  if (variance::find_comparison(name)->pairing == Pairing::unpaired)
    test.warnings.push_back("the runs share their seeds in pairs, which this test does not use");
  test.root = arguments.has("seed") ? *arguments.u64("seed") : results::parse_hex16(study.seed).value_or(0);
  run_test(test, name, std::move(pairs.candidate), std::move(pairs.baseline));
  print(arguments, test);
  return exit_of(test.outcome, requirement_from(arguments.value("require")));
}

}  // namespace retrial::harness
