#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/data/formats/table_lines.hpp"

/// Tables whose fields are separated by commas, semicolons or tabs, and the decimal comma of those that leave it free.
namespace retrial::harness::inline scores::inline lines {

/// Fields of a table of scores; one with more is refused with one line.
constexpr std::size_t max_score_fields = 10'000'000;

/// The separator by which the header has several fields: the only one, or the only one by which every line has as many
/// as the header. A comma for a single column. Error{usage} where two separators read the file.
[[nodiscard]] char separator_of(const std::filesystem::path& path, std::string_view text);

/// The lines of the file, cut at its separator. They point into `text`. Error{usage} above `max_score_fields`.
[[nodiscard]] data::TableLines separated_lines(const std::filesystem::path& path, std::string_view text);

/// "0,91" and "1,5e-3".
[[nodiscard]] bool has_decimal_comma(std::string_view text);

/// Writes the decimal commas of these columns as points, noted once. Only where fields are not separated by commas.
/// Error{usage} for a column with commas and points, and where every comma may separate thousands ("1,234").
void read_decimal_commas(const std::filesystem::path& path, std::string_view text, std::span<const std::size_t> columns,
                         data::TableLines& lines, std::vector<std::string>& notes);

}  // namespace retrial::harness::inline scores::inline lines
