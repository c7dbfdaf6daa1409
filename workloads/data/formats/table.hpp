#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline formats {

/// none: the first line is data. names: it names the columns. counts: rows, columns, then the class names, as in
/// scikit-learn's iris.csv ("150,4,setosa,versicolor,virginica"), which must agree with what follows: so many rows of
/// one column more, the last a class number.
enum class TableHeader { none, names, counts };

struct TableFormat {
  TableHeader header = TableHeader::none;
  char separator = ',';                          ///< ' ' : runs of blanks and tabs
  std::vector<std::size_t> categorical = {};     ///< columns, from 0, that are text even where every field is a number
  std::vector<std::string> missing = {"", "?"};  ///< unquoted fields that stand for "not known"
};

/// A column is numeric when every field that is not missing is a finite number in full, else categorical.
struct TableColumn {
  std::string name;  ///< from the header, else "1", "2", ...
  bool numeric = true;
  std::vector<double> values = {};           ///< numeric: one a row, NaN where missing
  std::vector<std::string> categories = {};  ///< categorical: the different texts, sorted by bytes
  std::vector<std::uint32_t> codes = {};     ///< categorical: place in `categories`, `missing_code` where missing
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

/// A table of text, plain or gzip'd: UTF-8 (a byte order mark is passed over), lines ended by LF or CR LF, empty ones
/// only at the end, blanks around a field dropped, a field in double quotes taken as it stands ("" is one quote) and
/// never missing. Throws Error naming file, line and column (both from 1): incomparable when the file cannot be read,
/// usage for a row of another length, a misplaced quote, a NUL, bytes that are not UTF-8, a line above 1 MiB, no rows
/// at all.
[[nodiscard]] Table load_table(const std::filesystem::path& file, const TableFormat& format = {});

}  // namespace retrial::data::inline formats
