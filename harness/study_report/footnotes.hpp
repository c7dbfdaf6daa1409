#pragma once

#include <string_view>
#include <vector>

#include "results/report/report.hpp"

/// What the tests behind a report's numbers ask and what they are for, in the words of the tables of tests
/// (variance/comparisons.hpp, variance/sequential.hpp): a report says nothing of a test that its table does not say.
namespace retrial::harness::inline study_report {

/// One line for each name, in the order given, names that repeat once. A name that stands in neither table is a mistake
/// of the program: std::logic_error.
[[nodiscard]] report::Table footnotes_of(const std::vector<std::string_view>& tests);

}  // namespace retrial::harness::inline study_report
