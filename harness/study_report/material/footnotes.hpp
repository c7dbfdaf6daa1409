#pragma once

#include <string_view>
#include <vector>

#include "results/report/report.hpp"

/// The question and the purpose of each test in a report, in the words of the tables of tests
/// (variance/comparisons/comparisons.hpp, variance/sequential/sequential.hpp).
namespace retrial::harness::inline study_report::inline material {

/// One row per name, in the given order, repeated names once. std::logic_error for a name in neither table.
[[nodiscard]] report::Table footnotes_of(const std::vector<std::string_view>& tests);

}  // namespace retrial::harness::inline study_report::inline material
