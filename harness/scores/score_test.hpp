#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/command_line/arguments.hpp"
#include "harness/command_line/command.hpp"
#include "harness/judge/comparison.hpp"
#include "harness/judge/requirement.hpp"
#include "harness/stored/stored_study.hpp"
#include "results/json/json.hpp"
#include "results/report/report.hpp"
#include "variance/many/method_table.hpp"
#include "variance/two_variants/comparisons.hpp"

namespace retrial::harness::inline scores {

/// One test of two named variants.
struct ScoreTest {
  std::string candidate, baseline;
  variance::TestSettings settings;
  variance::TestOutcome outcome;
  std::uint64_t root = 0;             ///< seed of the draws
  std::vector<std::string> warnings;  ///< from the caller, e.g. pairs left out
  std::string observation = "pair";   ///< the unit counted
  std::string unit = {};              ///< of the scores
};

/// One omnibus test of several methods.
struct TableTest {
  variance::MethodTable table;
  const variance::OmnibusTest* test = nullptr;
  variance::TestResult result;
  variance::Direction direction = variance::Direction::none;
  double alpha = 0.05;
  variance::Adjustment adjust = variance::Adjustment::holm;  ///< for the pairs of methods
  std::vector<std::string> notes;
};

/// Runs one test. Its key is derived from the root seed and the two names, so every test of the two draws the same.
void run_test(ScoreTest& test, const std::string& name, std::vector<double> candidate, std::vector<double> baseline);
/// Runs one omnibus test on scores in their own direction. Prints it and returns ok.
[[nodiscard]] Exit run_omnibus(const Arguments& arguments, TableTest test, const std::string& name);
/// Prints the outcome (one JSON document with --json) and returns the exit code that --require asks for.
[[nodiscard]] Exit report_test(const Arguments& arguments, const ScoreTest& test);

/// `retrial compare --scores FILE`: prints the outcome (one JSON document with --json) and returns the exit code that
/// --require asks for. Error{usage} or InvalidInput for input that cannot be tested.
[[nodiscard]] Exit compare_scores(const Arguments& arguments);

/// `retrial compare STORE --test NAME`: the same on the complete pairs of a stored study, with the levels of its
/// design unless options give others.
[[nodiscard]] Exit test_stored(const Arguments& arguments, const StudyView& study, const Comparison& comparison);

/// Schema retrial.test/1. Derived numbers rounded to 10 significant digits; null where a value does not exist; an
/// infinite statistic is the text "inf".
[[nodiscard]] Json test_document(const ScoreTest& test);
[[nodiscard]] Json test_document(const TableTest& test);
[[nodiscard]] std::string test_page(const ScoreTest& test);
[[nodiscard]] report::Section test_section(const TableTest& test);
/// "new is BETTER than old"; `reason` follows INVALID.
[[nodiscard]] report::Banner verdict_banner(const std::string& candidate, const std::string& baseline,
                                            variance::Status status, std::string_view reason = "");

}  // namespace retrial::harness::inline scores
