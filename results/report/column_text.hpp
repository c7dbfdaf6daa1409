#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace retrial::report {

/// Measured values of one column for people: six significant digits of the largest, and as many decimals in every row,
/// so that digits of one place are aligned. A value far smaller than the largest keeps its own six digits.
/// Empty where absent.
[[nodiscard]] std::vector<std::string> column_text(std::span<const std::optional<double>> values);

}  // namespace retrial::report
