#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/command_line/arguments.hpp"
#include "harness/scores/compare_table.hpp"
#include "harness/scores/outcomes/many_test.hpp"
#include "harness/scores/outcomes/table_test.hpp"

/// Tests of several variants at once, as commands.
namespace retrial::harness::inline scores {

/// Basis of the answer of a test of several variants. Its looks are recorded here, so last: a command that ends in
/// an error has shown nothing.
[[nodiscard]] Standing standing_of_many(const TableStart& start, double alpha);
/// Prints the page, or the document with --json, and returns the exit code for --require, which every pair must meet.
[[nodiscard]] Exit report_many(const Arguments& arguments, ManyTest test, const TableStart& start);

/// True for a test of several variants at once, by any of the tables of `variance/many`.
[[nodiscard]] bool tests_many(std::string_view name);
/// Error{usage} for an option that has no meaning in a test of several variants; `reads` are those that this one reads.
void refuse_options_of_two(const Arguments& arguments, std::string_view test, const std::vector<std::string>& reads);

/// `compare --scores --test NAME` of independent groups: the runs of one task. Error{usage} for several tasks, for
/// failed runs that the test cannot count as a loss unless --failure drop, and for a variant with too few scores.
[[nodiscard]] Exit compare_independent(const Arguments& arguments, const ScoreTable& table, const TableStart& start,
                                       const TableChoice& choice, const std::vector<Slice>& slices,
                                       const std::string& name);
/// The same for a table with holes: rows are pairs or tasks, and a variant lacks a score in some of them.
[[nodiscard]] Exit compare_with_holes(const Arguments& arguments, const ScoreTable& table, const TableStart& start,
                                      const TableChoice& choice, const std::vector<Slice>& slices,
                                      const std::string& name);
/// The same for scores of 0 and 1, in their own direction.
[[nodiscard]] Exit compare_items(const Arguments& arguments, TableTest test, const TableStart& start);

}  // namespace retrial::harness::inline scores
