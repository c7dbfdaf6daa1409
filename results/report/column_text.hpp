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

/// What a cell of a column aligned at the right needs behind it to bring decimal points below each other.
struct Behind {
  std::size_t digits = 0;
  bool point = false;  ///< and the room of a point
};

/// For each cell. "0.5", "< 0.01 %", "1e-05" are numbers; of an interval "[0.1, 0.25]" the last one counts. Other cells
/// need nothing.
[[nodiscard]] std::vector<Behind> behind_numbers(std::span<const std::string> cells);

}  // namespace retrial::report
