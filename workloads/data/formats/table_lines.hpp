#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace retrial::data::inline formats {

struct TableField {
  std::string text;
  bool quoted = false;
};
using TableLine = std::vector<TableField>;

/// The lines of a table cut into fields (rules: table.hpp); errors name file, line and column.
[[nodiscard]] std::vector<TableLine> table_lines(const std::filesystem::path& file, std::string_view text,
                                                 char separator);

/// Throws Error{usage, "data.content"} at `file:line:column`.
[[noreturn]] void refuse_field(const std::filesystem::path& file, std::size_t line, std::size_t column,
                               const std::string& problem);

}  // namespace retrial::data::inline formats
