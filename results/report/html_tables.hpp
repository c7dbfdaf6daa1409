#pragma once

#include <string>

#include "results/report/report.hpp"

/// The tables of a page. A table that does not fit the window is shown as one card per row, each value below its title:
/// nothing has to be scrolled sideways.
namespace retrial::report {

/// The narrowest window in which a table keeps its rows.
enum class Room { phone, tablet, desk, none };

/// From the widths of the cells in a wide font.
[[nodiscard]] Room room_of(const Table& table);

/// Writes the tables of one page and gathers the titles that their cards need.
class HtmlTables {
 public:
  /// With its caption above. `label` is for screen readers.
  [[nodiscard]] std::string table(const Table& table, const std::string& label);
  /// Rules that go into the page's style sheet.
  [[nodiscard]] const std::string& style() const { return style_; }

 private:
  void add_titles(const Table& table, const std::string& id);

  int count_ = 0;
  std::string style_;
};

}  // namespace retrial::report
