#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/arguments.hpp"
#include "harness/command.hpp"
#include "harness/comparison.hpp"
#include "harness/requirement.hpp"
#include "harness/score_file.hpp"
#include "harness/study_view.hpp"
#include "results/json.hpp"
#include "variance/comparisons.hpp"
#include "variance/method_table.hpp"

namespace retrial::harness {

/// Names of all tests, of two variants and of many, for the choices of --test.
[[nodiscard]] std::vector<std::string> all_test_names();
/// Options of a test besides --scores and --test: levels, direction, margin, seed.
[[nodiscard]] std::vector<Option> test_options();

/// One test of two named variants.
struct ScoreTest {
  std::string candidate, baseline;
  variance::TestSettings settings;
  variance::TestOutcome outcome;
  std::uint64_t root = 0;             ///< of the draws
  std::vector<std::string> warnings;  ///< of the caller, e.g. pairs left out
};

/// One omnibus test of many methods.
struct TableTest {
  variance::MethodTable table;
  const variance::OmnibusTest* test = nullptr;
  variance::TestResult result;
  variance::Direction direction = variance::Direction::none;
  double alpha = 0.05;
};

/// `retrial compare --scores FILE`: prints the outcome (one JSON document with --json) and returns the exit code that
/// --require asks for. Error{usage} or InvalidInput for what cannot be tested.
[[nodiscard]] Exit compare_scores(const Arguments& arguments);

/// `retrial compare STORE --test NAME`: the same on the complete pairs of a stored study, with the levels of its
/// design unless options give others.
[[nodiscard]] Exit test_stored(const Arguments& arguments, const StudyView& study, const Comparison& comparison);

/// Schema retrial.test/1. Derived numbers rounded to 10 significant digits, what does not exist null, an infinite
/// statistic the text "inf".
[[nodiscard]] Json test_document(const ScoreTest& test);
[[nodiscard]] Json test_document(const TableTest& test);
[[nodiscard]] std::string test_page(const ScoreTest& test);
[[nodiscard]] std::string test_page(const TableTest& test);

}  // namespace retrial::harness
