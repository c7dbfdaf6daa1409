#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline formats {

/// none: the first line is data. names: it names the columns. counts: rows, columns, then the class names, as in
/// scikit-learn's iris.csv ("150,4,setosa,versicolor,virginica"), which must agree with the rest: that many rows, each
/// with one more column, a class number.
enum class TableHeader { none, names, counts };

struct TableFormat {
  TableHeader header = TableHeader::none;
  char separator = ',';                          ///< ' ' : runs of blanks and tabs
  std::vector<std::size_t> categorical = {};     ///< columns, from 0, that are text even if every field is a number
  std::vector<std::string> missing = {"", "?"};  ///< unquoted fields that mean "unknown"
};

/// A column is numeric if every field that is not missing is a finite number, else categorical.
struct TableColumn {
  std::string name;  ///< from the header, else "1", "2", ...
  bool numeric = true;
  std::vector<double> values = {};           ///< numeric: one per row, NaN if missing
  std::vector<std::string> categories = {};  ///< categorical: the different texts, sorted by bytes
  std::vector<std::uint32_t> codes = {};     ///< categorical: index into `categories`, `missing_code` if missing
  std::uint32_t missing = 0;                 ///< rows without a value

  static constexpr std::uint32_t missing_code = std::numeric_limits<std::uint32_t>::max();
};

struct Table {
  std::uint32_t rows = 0;
  std::vector<TableColumn> columns;
  std::vector<std::string> class_names;  ///< header counts: as printed there
  FileDigest file;                       ///< as stored
  results::Digest content{};             ///< SHA-256 after decompression
};

/// A table of text, plain or gzip'd: UTF-8 (a byte order mark is skipped), lines ended by LF or CR LF, empty lines only
/// at the end, blanks around a field dropped, a field in double quotes taken literally ("" is one quote) and never
/// missing. Throws Error naming file, line and column (both from 1): incomparable if the file cannot be read, usage for
/// a row of another length, a misplaced quote, a NUL, bytes that are not UTF-8, a line above 1 MiB, no rows at all.
[[nodiscard]] Table load_table(const std::filesystem::path& file, const TableFormat& format = {});

}  // namespace retrial::data::inline formats
