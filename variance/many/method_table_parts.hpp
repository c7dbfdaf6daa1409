#pragma once

#include <cstdint>
#include <vector>

#include "variance/many/method_table.hpp"

/// Parts shared by the tests of several methods. Internal to this folder.
namespace retrial::variance::inline many::method_tables {

struct Shape {
  double k, n;  ///< methods, data sets
};
[[nodiscard]] Shape shape_of(const MethodTable& table);
/// Scores no further apart are tied.
[[nodiscard]] double tolerance_of(const MethodTable& table);
/// Twice the rank of each score within its data set, 1 = best.
[[nodiscard]] std::vector<std::vector<std::int64_t>> doubled_ranks(const MethodTable& table);
[[nodiscard]] std::vector<std::int64_t> column_sums(const std::vector<std::vector<std::int64_t>>& ranks);

[[nodiscard]] TestResult chi_squared_result(double statistic, double df, const char* method);
[[nodiscard]] TestResult f_result(double f, const Shape& s, const char* method);

}  // namespace retrial::variance::inline many::method_tables
