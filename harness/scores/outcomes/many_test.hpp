#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/json/json_fwd.hpp"
#include "results/report/report.hpp"
#include "variance/comparisons/test_result.hpp"
#include "variance/many/multiplicity.hpp"
#include "variance/numbers/estimate.hpp"
#include "variance/verdict/verdict.hpp"

/// Tests of several variants at once other than ranks over complete data sets: independent groups, items that are right
/// or wrong, data sets with holes. One value for all of them, so that they share a page and a document.
namespace retrial::harness::inline scores::inline outcomes {

/// Measurements of one variant, in the order of ManyTest::measures.
struct VariantMeasures {
  std::string name;
  std::vector<std::optional<double>> values;
};
/// Two variants of the test: `candidate` against `baseline`.
struct ManyPair {
  std::string candidate, baseline;
  std::optional<std::int64_t> rows;              ///< data sets with both; absent where every pair has all
  std::optional<variance::Estimate> difference;  ///< candidate - baseline; absent where the test has no such number
  std::optional<double> p;                       ///< for this pair alone
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

[[nodiscard]] variance::Status status_of(const ManyPair& pair, const ManyTest& test);
/// Schema retrial.test/1.
[[nodiscard]] Json many_document(const ManyTest& test);
[[nodiscard]] report::Section many_section(const ManyTest& test);

}  // namespace retrial::harness::inline scores::inline outcomes
