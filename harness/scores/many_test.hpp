#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/command_line/arguments.hpp"
#include "harness/scores/compare_table.hpp"
#include "harness/scores/score_test.hpp"
#include "results/json/json_fwd.hpp"
#include "results/report/report.hpp"
#include "variance/comparisons/test_result.hpp"
#include "variance/many/multiplicity.hpp"
#include "variance/numbers/estimate.hpp"

/// Tests of several variants at once other than ranks over complete data sets: independent groups, items that are right
/// or wrong, data sets with holes. One value for all of them, so that they share a page and a document.
namespace retrial::harness::inline scores {

/// What was measured of one variant, in the order of ManyTest::measures.
struct VariantMeasures {
  std::string name;
  std::vector<std::optional<double>> values;
};
/// Two variants of the test: `candidate` against `baseline`.
struct ManyPair {
  std::string candidate, baseline;
  std::optional<std::int64_t> rows;              ///< data sets with both; absent where every pair has all
  std::optional<variance::Estimate> difference;  ///< candidate - baseline; absent where the test has no such number
  std::optional<double> p;                       ///< of this pair alone
  double p_adjusted = 1.0;                       ///< two-sided; decides
  bool better = false;                           ///< the side that the test favors is the candidate
};
struct ManyTest {
  std::string_view name, asks, when;
  std::string observed;  ///< "3 variants and 21 independent runs"
  std::int64_t n = 0;    ///< runs or data sets
  variance::Direction direction = variance::Direction::none;
  double alpha = 0.05;
  std::optional<variance::TestResult> omnibus;  ///< absent: the test is of pairs alone
  std::vector<std::string> measures;            ///< "runs", "mean"
  std::vector<VariantMeasures> variants;
  std::string estimand;                        ///< "mean", of the differences
  std::string pairs_method;                    ///< "Games-Howell"
  std::optional<variance::Adjustment> adjust;  ///< absent: the pairs have a correction of their own
  std::vector<ManyPair> pairs;
  std::vector<std::string> notes;
};

/// What the answer of a test of several variants rests on. Its looks are recorded here, so last: a command that ends in
/// an error has shown nothing.
[[nodiscard]] Standing standing_of_many(const TableStart& start, double alpha);
/// Prints the page, or the document with --json, and returns the exit code for --require, which every pair must meet.
[[nodiscard]] Exit report_many(const Arguments& arguments, ManyTest test, const TableStart& start);
/// Schema retrial.test/1.
[[nodiscard]] Json many_document(const ManyTest& test);
[[nodiscard]] report::Section many_section(const ManyTest& test);

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
