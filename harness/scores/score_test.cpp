#include "harness/scores/score_test.hpp"

#include <cmath>
#include <iostream>

#include "harness/judge/design/study_looks.hpp"
#include "harness/scores/compare_table.hpp"
#include "harness/scores/family.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/options.hpp"
#include "harness/text/names.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/random/rng.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline scores {
void run_test(ScoreTest& test, const std::string& name, std::vector<double> candidate, std::vector<double> baseline) {
  const auto comparison = "comparison:" + test.candidate + "|" + test.baseline;
  test.settings.key = variance::derive(test.root, std::string_view(comparison));
  test.outcome = variance::compare(name, std::move(candidate), std::move(baseline), test.settings);
}

Exit report_test(const Arguments& arguments, const ScoreTest& test) {
  if (arguments.has("json"))
    print_json(test_document(test));
  else
    std::cout << test_page(test);
  return required(arguments,
                  exit_for(test.outcome.status, test.outcome.reason, requirement_from(arguments.value("require"))),
                  test.standing);
}

Exit run_omnibus(const Arguments& arguments, TableTest test, const std::string& name) {
  if (arguments.has("require"))
    throw Error({.code = "usage.option_value",
                 .field = "--require",
                 .problem = "an omnibus test has no candidate: use a test of two variants and name them"});
  refuse_test_settings(arguments, "test " + name);
  test.test = variance::find_omnibus(name);
  test.alpha = arguments.number("alpha", {0, 0.5, true, true}).value_or(test.alpha);
  test.adjust = adjustment_given(arguments).value_or(test.adjust);
  if (test.direction == variance::Direction::lower)
    for (auto& row : test.table.rows)
      for (double& score : row) score = -score;
  variance::require_table(test.table);
  test.result = test.test->run(test.table);
  print_part({.section = test_section(test), .data = test_document(test)}, arguments.has("json"));
  return Exit::ok;
}

Exit compare_scores(const Arguments& arguments) {
  if (arguments.has("study"))
    throw Error({.code = "usage.option_value",
                 .field = "--study",
                 .problem = "applies only to a store, and --scores reads no store"});
  if (!arguments.positional.empty())
    throw Error({.code = "usage.extra_argument",
                 .field = arguments.positional.front(),
                 .problem = "is a store, but --scores reads no store",
                 .help = "usage: retrial compare --scores FILE.csv --test NAME --higher"});
  if (!arguments.has("family"))
    refuse_options(arguments, {"sequential", "looks", "n-max", "band", "range", "spending"},
                   {.problem = "applies only to a sequential design",
                    .help = "choose one, for example --family dual_e --gamma 0.75 (see retrial list designs)"});
  const auto inputs = score_inputs(arguments.values("scores"), roles_given(arguments));
  // Values that the library rejects come from the files.
  try {
    return compare_table(arguments, read_score_table(inputs, arguments.value("format")));
  } catch (const InvalidInput& mistake) {
    std::vector<std::string> names;
    for (const ScoreInput& input : inputs) names.push_back(input.path.string());
    throw Error({.code = "scores.value",
                 .where = results::joined(names),
                 .field = mistake.field,
                 .value = mistake.value,
                 .problem = "out of range",
                 .allowed = mistake.allowed});
  }
}

namespace {

/// The declared rule itself, where the options change nothing of it.
bool is_declared(const StudyView& study, const Comparison& comparison, const std::string& name,
                 const variance::TestSettings& settings) {
  if (!study.design || !comparison.undeclared.empty()) return false;
  const auto& d = *study.design;
  return d.test == name && d.alpha == settings.alpha && d.beta == settings.beta && d.gamma == settings.gamma &&
         d.sides == settings.sides && d.margin == settings.margin;
}

/// Records the look and says what was before it.
Standing stand(const Arguments& arguments, const ScoreTest& test, const StudyView& study, const Comparison& comparison,
               const std::string& name, const RecordLooks& record) {
  Standing out{.undeclared = comparison.undeclared};
  if (is_declared(study, comparison, name, test.settings)) {
    out.recorded = record({comparison.look});
  } else {
    out.undeclared.push_back("test " + name + " was chosen after the runs");
    const Look look = look_by(comparison, "test " + name, rule_given(arguments), false_better_rate(test.settings));
    if (const auto sequence = sequence_of(comparison.looks, look); !sequence.before.empty())
      out.undeclared.push_back(sequence_text(sequence));
    out.recorded = record({look});
  }
  if (!out.recorded) out.undeclared.emplace_back(look_not_recorded);
  return out;
}

/// A failed or diverged trial has no score.
std::vector<std::optional<double>> finite(std::vector<std::optional<double>> scores) {
  for (auto& score : scores)
    if (score && !std::isfinite(*score)) score.reset();
  return scores;
}

}  // namespace

double false_better_rate(const variance::TestSettings& settings) {
  return settings.sides == variance::Sides::two ? settings.alpha / 2 : settings.alpha;
}

Json rule_given(const Arguments& arguments) {
  Json out = Json::object();
  auto names = names_in(test_options());
  names.insert(names.end(), {"test", "adjust", "failure"});
  for (const auto& name : names)
    if (arguments.has(name)) out[name] = arguments.value(name).value_or("");
  return out;
}

variance::FailurePolicy policy_for(const variance::ComparisonTest& test, variance::FailurePolicy declared) {
  const bool loss = declared == variance::FailurePolicy::loss;
  return loss && !test.ordinal ? variance::FailurePolicy::refuse : declared;
}

Exit test_stored(const Arguments& arguments, const StudyView& study, const Comparison& comparison,
                 const RecordLooks& record) {
  const std::string name = *test_given(arguments, true);
  if (variance::find_omnibus(name) != nullptr)
    throw Error({.code = "compare.many",
                 .field = "--test",
                 .value = name,
                 .problem = "compares several methods over data sets",
                 .help = "use a CSV file: retrial compare --scores FILE.csv --test " + name + " --higher"});
  const auto& design = comparison.design;
  const auto& row = *variance::find_comparison(name);
  ScoreTest test{.settings = {.direction = comparison.scores.direction,
                              .alpha = design.alpha,
                              .beta = design.beta,
                              .gamma = design.gamma,
                              .sides = design.sides,
                              .tie_limit = design.tie_limit,
                              .resolution = comparison.scores.resolution,
                              .margin = design.margin},
                 .unit = comparison.metric.unit};
  take_options(arguments, test.settings);
  require_options_fit(arguments, row, test.settings);
  test.root = arguments.has("seed") ? *arguments.u64("seed") : results::parse_hex16(study.seed).value_or(0);
  const Slice slice{.where = study.name,
                    .task = "",
                    .paired = true,
                    .names = {design.baseline, design.candidate},
                    .scores = {finite(comparison.scores.baseline), finite(comparison.scores.candidate)}};
  test = test_slice(slice, 1, 0, name, std::move(test), policy_for(row, design.failure));
  test.standing = stand(arguments, test, study, comparison, name, record);
  auto& warnings = test.warnings;
  warnings.insert(warnings.begin(), test.standing.undeclared.begin(), test.standing.undeclared.end());
  if (!comparison.side_by_side.empty()) warnings.push_back(comparison.side_by_side);
  if (auto text = unequal_failures(variance::judge(comparison.scores, design)); !text.empty())
    warnings.push_back(std::move(text));
  return report_test(arguments, test);
}

}  // namespace retrial::harness::inline scores
