#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/command_line/arguments.hpp"
#include "harness/command_line/command.hpp"
#include "variance/many/multiplicity.hpp"
#include "variance/two_variants/comparisons.hpp"
#include "variance/verdict/design.hpp"

/// What the options of a test say, for `compare --scores` and `compare STORE --test`.
namespace retrial::harness::inline scores {

/// Names of all tests, of two variants and of many, for the choices of --test.
[[nodiscard]] std::vector<std::string> all_test_names();
/// Options of a test besides --scores and --test: levels, direction, margin, seed.
[[nodiscard]] std::vector<Option> test_options();
/// Options that only --scores has: several claims, aggregates over tasks.
[[nodiscard]] std::vector<Option> score_options();

/// --higher or --lower; Error{usage} when both are given.
[[nodiscard]] std::optional<variance::Direction> direction_given(const Arguments& arguments);
/// The same, else what the file says of the metric; Error{usage} when neither does.
[[nodiscard]] variance::Direction direction_of(const Arguments& arguments,
                                               variance::Direction known = variance::Direction::none);

/// Options over what a design declares; ranges that belong to one test are checked by it.
void take_options(const Arguments& arguments, variance::TestSettings& settings);
[[nodiscard]] std::optional<variance::FailurePolicy> failure_given(const Arguments& arguments);
/// --adjust; nothing when it was not given.
[[nodiscard]] std::optional<variance::Adjustment> adjustment_given(const Arguments& arguments);
[[nodiscard]] std::string_view name_of(variance::Adjustment adjustment);

/// --test, or the test that --bayes or --aso stands for; Error{usage} when two of them are given.
[[nodiscard]] std::optional<std::string> test_given(const Arguments& arguments, bool paired);
/// Error{usage} for an option that changes nothing in this test, and for a test without the setting that it needs.
void require_options_fit(const Arguments& arguments, const variance::ComparisonTest& test,
                         const variance::TestSettings& settings);
/// Error{usage} for every option that only --aggregate reads.
void refuse_options_of_aggregates(const Arguments& arguments);
/// Error{usage} for every option that only tests of two variants read; `of` is what was asked for instead.
void refuse_test_settings(const Arguments& arguments, const std::string& of);

/// Where the scores come from, and of which variants.
struct ScoreNames {
  std::string where;
  std::vector<std::string> names;
};
struct Sides {
  std::size_t baseline = 0, candidate = 1;
};
/// Named ones first; else the first is the baseline and the next one the candidate. Error{usage} for an unknown name,
/// for one variant twice, and for more than two variants of which not both are named.
[[nodiscard]] Sides sides_of(const ScoreNames& file, const Arguments& arguments);
/// Place of the variant an option names.
[[nodiscard]] std::size_t place_of_variant(const ScoreNames& file, const std::string& option, const std::string& name);

}  // namespace retrial::harness::inline scores
