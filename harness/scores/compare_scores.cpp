#include "harness/scores/compare_scores.hpp"

#include <cmath>
#include <iostream>

#include "harness/judge/design/scale.hpp"
#include "harness/judge/design/study_looks.hpp"
#include "harness/scores/family.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/many_tests.hpp"
#include "harness/scores/second_opinions.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/text/names.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline scores {
namespace {

/// Runs are drawn again under a given seed, so that the same line prints the same page.
std::optional<variance::Replication> replication_of_tested(const ScoreTest& test) {
  if (test.outcome.status == variance::Status::invalid || test.tested_candidate.empty()) return std::nullopt;
  auto settings = test.settings;
  if (test.drawn_root) settings.key = std::nullopt;
  return variance::replication_of_test(test.outcome.test, test.tested_candidate, test.tested_baseline, settings,
                                       test.outcome.status);
}

}  // namespace

Exit report_test(const Arguments& arguments, const ScoreTest& tested) {
  ScoreTest test = tested;
  test.replication = replication_of_tested(test);
  if (arguments.has("json"))
    print_json(test_document(test));
  else
    std::cout << test_page(test);
  return required(arguments,
                  exit_for(test.outcome.status, test.outcome.reason, requirement_from(arguments.value("require"))),
                  test.standing);
}

Exit run_omnibus(const Arguments& arguments, TableTest test, const TableStart& start, const std::string& name) {
  refuse_options_of_two(arguments, name, {"adjust"});
  test.test = variance::find_omnibus(name);
  test.alpha = arguments.number("alpha", {0, 0.5, true, true}).value_or(test.alpha);
  test.adjust = adjustment_given(arguments).value_or(test.adjust);
  if (test.test->bits) return compare_items(arguments, std::move(test), start);
  if (test.direction == variance::Direction::lower)
    for (auto& row : test.table.rows)
      for (double& score : row) score = -score;
  variance::require_table(test.table);
  test.result = test.test->run(test.table);
  if (test.test->uncorrected != nullptr) test.uncorrected = test.test->uncorrected(test.table);
  for (auto& text : remarks_on(standing_of_many(start, test.alpha))) test.notes.push_back(std::move(text));
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
    const ScoreTable table = read_score_table(inputs, arguments.value("format"));
    if (is_second_opinion(arguments.value("test").value_or(""))) return show_second_opinion(arguments, table);
    require_holes_decided(table, failure_given(arguments));
    return compare_table(arguments, table);
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

/// The declared rule itself, where the options change nothing of it but the interval that is shown.
bool is_declared(const StudyView& study, const Comparison& comparison, const std::string& name,
                 const variance::TestSettings& settings) {
  if (!study.design || !comparison.undeclared.empty() || study.design->test != name) return false;
  auto declared = declared_settings(comparison);
  declared.key = comparison.design.key;
  declared.interval = settings.interval;
  return settings == declared;
}

/// Records the look and says what was before it.
Standing stand(const Arguments& arguments, const ScoreTest& test, const StudyView& study, const Comparison& comparison,
               const std::string& name, const RecordLooks& record) {
  Standing out{.undeclared = comparison.undeclared};
  if (is_declared(study, comparison, name, test.settings)) {
    out.recorded = record({comparison.look});
  } else {
    if (!comparison.sequence.before.empty()) out.undeclared.pop_back();  // the place of the declared rule, not of this
    out.undeclared.push_back("test " + name + " was chosen after the runs");
    const Look look =
        look_by(comparison, "test " + name, rule_given(arguments), rate_of(test.settings.alpha, test.settings.sides));
    if (const auto sequence = sequence_of(comparison.looks, look); !sequence.before.empty())
      out.undeclared.push_back(sequence_text(sequence));
    out.recorded = record({look});
  }
  return out;
}

/// A failed or diverged trial has no score.
std::vector<std::optional<double>> finite(std::vector<std::optional<double>> scores) {
  for (auto& score : scores)
    if (score && !std::isfinite(*score)) score.reset();
  return scores;
}

}  // namespace

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
  const auto& design = comparison.design;
  const auto& row = *variance::find_comparison(name);
  ScoreTest test{.settings = declared_settings(comparison), .unit = comparison.metric.unit};
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
  const auto remarks = remarks_on(test.standing);
  warnings.insert(warnings.begin(), remarks.begin(), remarks.end());
  if (comparison.overlap && row.needs != "overlap") warnings.push_back("about " + about_resamples(*comparison.overlap));
  if (!comparison.side_by_side.empty()) warnings.push_back(comparison.side_by_side);
  auto verdict = variance::judge(comparison.scores, design);
  if (auto text = unequal_failures(verdict); !text.empty()) warnings.push_back(std::move(text));
  verdict.status = test.outcome.status;
  if (!informative_failures(verdict).empty()) {
    test.outcome.status = variance::Status::invalid;
    test.outcome.reason = variance::InvalidReason::missing;
  }
  return report_test(arguments, test);
}

}  // namespace retrial::harness::inline scores
