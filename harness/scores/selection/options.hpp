#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/command_line/arguments.hpp"
#include "harness/command_line/command.hpp"
#include "harness/scores/formats/columns.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/designs/design.hpp"
#include "variance/many/multiplicity.hpp"

/// Options of a test, for `compare --scores` and `compare STORE --test`.
namespace retrial::harness::inline scores::inline selection {

/// Names of all tests, for two variants and for many: the choices of --test.
[[nodiscard]] std::vector<std::string> all_test_names();
/// Names of some of them in SciPy, R and textbooks.
[[nodiscard]] std::vector<Renamed> test_names_elsewhere();
/// Options of a test other than --scores and --test: levels, direction, margin, seed.
[[nodiscard]] std::vector<Option> test_options();
/// Options of the files of --scores: their columns and format.
[[nodiscard]] std::vector<Option> score_file_options();
/// Options for --scores only: those of its files, several claims, aggregates over tasks.
[[nodiscard]] std::vector<Option> score_options();

/// --columns; empty when it was not given.
[[nodiscard]] ColumnRoles roles_given(const Arguments& arguments);

/// --higher or --lower; Error{usage} when both are given.
[[nodiscard]] std::optional<variance::Direction> direction_given(const Arguments& arguments);
/// The same, else the direction that the file gives for the metric; Error{usage} when neither is given.
[[nodiscard]] variance::Direction direction_of(const Arguments& arguments,
                                               variance::Direction known = variance::Direction::none);

/// Overrides the settings of a design with options; ranges specific to one test are checked by that test.
void take_options(const Arguments& arguments, variance::TestSettings& settings);
[[nodiscard]] std::optional<variance::FailurePolicy> failure_given(const Arguments& arguments);
/// Error{usage} for a table with holes and no --failure: whether a run failed or is no pair is not guessed.
void require_holes_decided(const ScoreTable& table, const std::optional<variance::FailurePolicy>& policy);
/// Error{usage} for a metric without unit of which, on one task, one variant has shares of 1 and another percent: a
/// hundredfold difference would be judged as one of the variants.
void require_one_scale(const ScoreTable& table, const std::string& metric);
/// --adjust; nothing when it was not given.
[[nodiscard]] std::optional<variance::Adjustment> adjustment_given(const Arguments& arguments);
[[nodiscard]] std::string_view name_of(variance::Adjustment adjustment);

/// --test, or the test that --bayes or --aso means; Error{usage} when two of them are given.
[[nodiscard]] std::optional<std::string> test_given(const Arguments& arguments, bool paired);
/// Error{usage} for an option that changes nothing in this test, and for a test without the setting that it needs.
void require_options_fit(const Arguments& arguments, const variance::ComparisonTest& test,
                         const variance::TestSettings& settings);
/// Error{usage} for any option that only --aggregate reads.
void refuse_options_of_aggregates(const Arguments& arguments);
/// Options that only some tests of two variants read.
[[nodiscard]] std::vector<std::string> settings_of_tests();
/// Error{usage} for any option that only tests of two variants read; `of` names the analysis that was requested.
void refuse_test_settings(const Arguments& arguments, const std::string& of);

/// The source of the scores, and the variants in it.
struct ScoreNames {
  std::string where;
  std::vector<std::string> names;
};
struct Sides {
  std::size_t baseline = 0, candidate = 1;
};
/// The named variants; by default the first is the baseline and the next one the candidate. Error{usage} for an unknown
/// name, for the same variant twice, and for more than two variants unless both sides are named.
[[nodiscard]] Sides sides_of(const ScoreNames& file, const Arguments& arguments);
/// Place of the variant that an option names.
[[nodiscard]] std::size_t place_of_variant(const ScoreNames& file, const std::string& option, const std::string& name);

}  // namespace retrial::harness::inline scores::inline selection
