#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace retrial::harness::inline text {

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
  bool breaks = false;  ///< words too long for the page go on in the next line, as names of benchmarks have to
};

/// Rows under titled columns, in plain text: two blanks between columns, no lines, nothing after the last cell. Decimal
/// points of a column at the right are below each other.
class TextTable {
 public:
  explicit TextTable(std::vector<Column> table_columns) : columns_(std::move(table_columns)) {}

  /// Fewer cells than columns leave the rest empty.
  /// Cells may hold foreign text, which is cleaned(); the colors of colour.hpp stay.
  void add(std::vector<std::string> cells);
  [[nodiscard]] bool empty() const { return rows_.empty(); }

  /// Every line ends in LF and starts with `indent` blanks. Where lines would be wider than `width`, the widest
  /// columns are made narrower and their cells wrap at blanks, then the titles of numbers, and at last words of columns
  /// that break; width 0: never.
  [[nodiscard]] std::string text(std::size_t indent = 0, std::size_t width = 0) const;

 private:
  using Rows = std::vector<std::vector<std::string>>;
  [[nodiscard]] Rows aligned_rows() const;
  [[nodiscard]] std::vector<std::size_t> natural_widths(const Rows& rows) const;
  [[nodiscard]] std::vector<std::size_t> unbroken_widths(const Rows& rows) const;  ///< no word or number is broken
  [[nodiscard]] std::vector<std::size_t> broken_widths(const Rows& rows) const;    ///< words of columns that break are
  [[nodiscard]] std::vector<std::size_t> fitted_widths(const Rows& rows, std::size_t room) const;
  [[nodiscard]] std::string lines_of(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                                     std::size_t indent) const;
  std::vector<Column> columns_;
  Rows rows_;
};

/// The number of terminal cells of UTF-8 text: one per code point, none for combining marks and color sequences
/// (ESC [ ... m), two for wide East Asian characters.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// Lines of at most `width` cells, broken at blanks; a longer word gets a line of its own. LF in the text is kept.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);
/// The same with longer words broken, behind a separator such as / or : where one is near the end of the line. Colored
/// words and digests stay whole.
[[nodiscard]] std::vector<std::string> broken(std::string_view text, std::size_t width);

}  // namespace retrial::harness::inline text
