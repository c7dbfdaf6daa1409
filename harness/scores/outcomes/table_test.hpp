#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/json/json_fwd.hpp"
#include "results/report/report.hpp"
#include "variance/comparisons/status.hpp"
#include "variance/comparisons/test_result.hpp"
#include "variance/tables/method_table.hpp"

namespace retrial::harness::inline scores::inline outcomes {

/// One omnibus test of several methods.
struct TableTest {
  variance::MethodTable table;
  const variance::OmnibusTest* test = nullptr;
  variance::TestResult result;
  std::optional<variance::TestResult> uncorrected;  ///< without the correction for ties; absent: the test has none
  variance::Direction direction = variance::Direction::none;
  double alpha = 0.05;
  variance::Adjustment adjust = variance::Adjustment::holm;  ///< correction for the pairs of methods
  std::vector<std::string> notes;
};

/// Schema retrial.test/1.
[[nodiscard]] Json test_document(const TableTest& test);
[[nodiscard]] report::Section test_section(const TableTest& test);

}  // namespace retrial::harness::inline scores::inline outcomes
