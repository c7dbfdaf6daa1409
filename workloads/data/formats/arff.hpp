#pragma once

#include <filesystem>

#include "workloads/data/formats/table.hpp"

namespace retrial::data::inline formats {

/// A table in Weka's ARFF, plain or gzip'd: numeric, real, integer, string and nominal attributes; fields may be quoted
/// ('...', "..." with backslashes), an unquoted ? is unknown, lines of % are comments. Throws Error as load_table does;
/// usage also for sparse rows, dates, relations, a value that its nominal attribute does not list.
[[nodiscard]] Table load_arff(const std::filesystem::path& file);

}  // namespace retrial::data::inline formats
