#include "workloads/data/formats/table.hpp"

#include <algorithm>
#include <cmath>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/files/files.hpp"
#include "workloads/data/formats/table_lines.hpp"

namespace retrial::data::inline formats {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_table_file = std::uint64_t{256} << 20;

bool stands_for_missing(const TableField field, const TableFormat& format) {
  return !field.quoted && std::find(format.missing.begin(), format.missing.end(), field.text) != format.missing.end();
}

void require_equal_lengths(const fs::path& file, const TableLines& lines, std::size_t first) {
  const std::size_t expected = lines[first].size();
  for (std::size_t row = first; row < lines.size(); ++row)
    if (lines[row].size() != expected)
      refuse_field(file, row + 1, std::min(lines[row].size(), expected) + 1,
                   std::to_string(lines[row].size()) + " fields, expected " + std::to_string(expected));
}

/// No line is empty, so the number of a line is its position.
TableColumn column_of(const TableLines& lines, std::size_t first, std::size_t place, const TableFormat& format) {
  TableColumn column{.name = std::to_string(place + 1)};
  for (std::size_t row = first; row < lines.size() && column.numeric; ++row) {
    const TableField field = lines[row][place];
    if (stands_for_missing(field, format)) continue;
    column.numeric = !field.quoted && results::parse_double(field.text).has_value();
  }
  const auto& forced = format.categorical;
  if (std::find(forced.begin(), forced.end(), place) != forced.end()) column.numeric = false;
  return column;
}

void read_numbers(const TableLines& lines, std::size_t first, std::size_t place, const TableFormat& format,
                  TableColumn& column) {
  for (std::size_t row = first; row < lines.size(); ++row) {
    const bool missing = stands_for_missing(lines[row][place], format);
    column.missing += missing ? 1 : 0;
    column.values.push_back(missing ? std::nan("") : *results::parse_double(lines[row][place].text));
  }
}

void read_categories(const TableLines& lines, std::size_t first, std::size_t place, const TableFormat& format,
                     TableColumn& column) {
  auto& known = column.categories;
  for (std::size_t row = first; row < lines.size(); ++row)
    if (const TableField field = lines[row][place]; !stands_for_missing(field, format)) known.emplace_back(field.text);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (std::size_t row = first; row < lines.size(); ++row) {
    const TableField field = lines[row][place];
    const bool missing = stands_for_missing(field, format);
    column.missing += missing ? 1 : 0;
    const auto code = std::lower_bound(known.begin(), known.end(), field.text) - known.begin();
    column.codes.push_back(missing ? TableColumn::missing_code : static_cast<std::uint32_t>(code));
  }
}

void name_columns(const fs::path& file, const TableLine& names, std::vector<TableColumn>& columns) {
  if (names.size() != columns.size())
    refuse_field(file, 1, 1,
                 "the header names " + std::to_string(names.size()) + " columns and the rows have " +
                     std::to_string(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].name = names[i].text;
}

void check_counts(const fs::path& file, const TableLine& header, Table& table) {
  const auto promised = [&](std::size_t place) {
    return place < header.size() ? results::parse_int(header[place].text) : std::nullopt;
  };
  const auto expect = [&](std::size_t place, std::size_t found, const std::string& what) {
    if (promised(place) != static_cast<std::int64_t>(found))
      refuse_field(file, 1, place + 1,
                   "the header does not declare the " + std::to_string(found) + " " + what + " that follow");
  };
  expect(0, table.rows, "rows");
  expect(1, table.columns.size() - 1, "columns before the class");
  for (std::size_t i = 2; i < header.size(); ++i) table.class_names.emplace_back(header[i].text);
  const TableColumn& classes = table.columns.back();
  for (std::size_t row = 0; row < table.rows; ++row) {
    const double label = classes.numeric ? classes.values[row] : -1;
    if (!(label >= 0) || label != std::floor(label) || label >= static_cast<double>(table.class_names.size()))
      refuse_field(file, row + 2, table.columns.size(),
                   "expected a class number from 0 to " + std::to_string(table.class_names.size()) + " - 1");
  }
}

std::vector<std::uint8_t> stored_bytes(const fs::path& file, Table& table) {
  std::vector<std::uint8_t> bytes(file_bytes(file, largest_table_file));
  read_into(file, bytes);
  table.file = {file.filename().string(), bytes.size(), results::sha256(std::span<const std::uint8_t>(bytes))};
  return bytes;
}

void require_columns(const TableFormat& format, std::size_t columns) {
  for (const std::size_t place : format.categorical)
    if (place >= columns)
      throw InvalidInput("categorical", std::to_string(place), "0 to " + std::to_string(columns - 1));
}

}  // namespace

Table load_table(const fs::path& file, const TableFormat& format) {
  Table table;
  const auto bytes = opened(stored_bytes(file, table), file, largest_table_file);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  table.content = results::sha256(text);
  const TableLines lines = table_lines(file, text, format.separator);
  const std::size_t first = format.header == TableHeader::none ? 0 : 1;
  if (lines.size() <= first) refuse_content(file, "holds no row");
  require_equal_lengths(file, lines, first);
  require_columns(format, lines[first].size());
  table.rows = static_cast<std::uint32_t>(lines.size() - first);
  for (std::size_t place = 0; place < lines[first].size(); ++place) {
    TableColumn column = column_of(lines, first, place, format);
    (column.numeric ? read_numbers : read_categories)(lines, first, place, format, column);
    table.columns.push_back(std::move(column));
  }
  if (format.header == TableHeader::names) name_columns(file, lines.front(), table.columns);
  if (format.header == TableHeader::counts) check_counts(file, lines.front(), table);
  return table;
}

}  // namespace retrial::data::inline formats
