#pragma once

#include <functional>

#include "harness/command_line/arguments.hpp"
#include "harness/judge/verdict/requirement.hpp"
#include "harness/scores/lines/score_table.hpp"
#include "harness/scores/selection/slice.hpp"
#include "results/text/error.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline scores {

/// Defaults that options override: the root seed of the draws (if absent, one is drawn and printed) and the levels.
struct TableStart {
  std::optional<std::uint64_t> root = {};
  variance::TestSettings settings = {};
  std::optional<variance::FailurePolicy> failure = {};  ///< the declared one of a store
  /// Basis of the answer, asked for before it is shown; absent: a score file, which is taken on trust.
  std::function<Standing(const variance::TestSettings&)> standing = {};
};

/// `retrial compare --scores` on a table in the long form: one test, several claims, an omnibus test, aggregates over
/// tasks or the hierarchical model, depending on the options and the table. Prints the result and returns the exit code
/// for --require.
[[nodiscard]] Exit compare_table(const Arguments& arguments, const ScoreTable& table, const TableStart& start = {});

/// The exit code of --require that decides for both: INVALID, then the contrary, then inconclusive.
[[nodiscard]] Exit worse_of(Exit a, Exit b);

/// The metric that is compared and its direction.
struct TableChoice {
  std::string metric;
  variance::Direction direction = variance::Direction::none;
};
/// --metric, else the only one of the table; --higher or --lower, else the direction of its file. Error{usage} where
/// one of them has to be given.
[[nodiscard]] TableChoice table_choice(const Arguments& arguments, const ScoreTable& table);
/// `compare --scores --aggregate`.
[[nodiscard]] Exit compare_aggregates(const Arguments& arguments, const ScoreTable& table, const TableChoice& choice);
/// `compare --scores --family NAME`: applies a sequential design to the pairs, in the order of their numbers.
[[nodiscard]] Exit compare_sequential(const Arguments& arguments, const ScoreTable& table, const TableChoice& choice,
                                      const std::vector<Slice>& slices);
/// `compare --scores --bayes hierarchical`.
[[nodiscard]] Exit compare_hierarchical(const Arguments& arguments, const ScoreTable& table, const TableChoice& choice);

}  // namespace retrial::harness::inline scores
