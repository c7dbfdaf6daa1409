#include "results/report/html_tables.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "results/report/column_text.hpp"
#include "results/report/drawing/escape.hpp"
#include "results/report/drawing/label_text.hpp"
#include "results/report/html_text.hpp"

namespace retrial::report {
namespace {

/// Words above this width are broken (class "w"), so that one long name does not push the numbers out of the window.
constexpr double longest_word = 130;  // pixels; with a minimum of this width in the style sheet

double widest_word(const std::string& text) {
  std::istringstream words(text);
  double out = 0;
  for (std::string word; words >> word;) out = std::max(out, label_width(word));
  return out;
}

/// A text that fills two such lines is not read in a narrower column.
constexpr double line_of_text = 200;

double narrowest_text(const std::string& text) {
  if (label_width(text) > 2 * line_of_text) return line_of_text;
  return std::min(longest_word, widest_word(text));
}

double narrowest(const Table& table, std::size_t column) {
  double out = std::min(longest_word, widest_word(table.columns[column].title));
  for (const auto& row : table.rows) {
    const std::string& text = row[column];
    out = std::max(out, table.columns[column].number ? label_width(text) : narrowest_text(text));
  }
  return out;
}

/// In the order of Room; the style sheet has the same names.
constexpr std::array<const char*, 4> css_of_room{"", "tablet", "desk", "cards"};

bool too_wide(const std::string& text) {
  return widest_word(text) > longest_word;
}

/// "n good" of those that are not empty.
std::string joined_classes(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names)
    if (!name.empty()) out += (out.empty() ? "" : " ") + name;
  return out;
}

std::string classes_of(const Cell& cell, bool number) {
  constexpr std::size_t long_text = 30;  // characters; a card gives such a text its whole width
  return joined_classes({number ? "n" : "", !number && too_wide(cell) ? "w" : "", cell.size() > long_text ? "l" : "",
                         class_of(cell.tone)});
}

bool titled(const Table& table) {
  return std::ranges::any_of(table.columns, [](const TableColumn& column) { return !column.title.empty(); });
}

std::string titles_html(const Table& table) {
  if (!titled(table)) return "";
  std::string out = "<thead><tr>";
  for (const auto& column : table.columns) {
    const std::string css = joined_classes({column.number ? "n" : "", too_wide(column.title) ? "w" : ""});
    out += html_element("th scope=\"col\"" + (css.empty() ? "" : " class=\"" + css + "\""), column.title, "th");
  }
  return out + "</tr></thead>\n";
}

/// Blanks as wide as digits and points, for each row; they are not drawn, and nothing collapses them.
std::vector<std::string> blanks_of(const Table& table, std::size_t column) {
  if (!table.columns[column].number) return std::vector<std::string>(table.rows.size());
  std::vector<std::string> cells, out;
  for (const auto& row : table.rows) cells.push_back(row[column]);
  for (const auto& behind : behind_numbers(cells)) {
    std::string blanks = behind.point ? "\u2008" : "";
    for (std::size_t i = 0; i < behind.digits; ++i) blanks += "\u2007";
    out.push_back(std::move(blanks));
  }
  return out;
}

std::string rows_html(const Table& table) {
  std::vector<std::vector<std::string>> blanks;
  for (std::size_t i = 0; i < table.columns.size(); ++i) blanks.push_back(blanks_of(table, i));
  std::string out;
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const auto& row = table.rows[k];
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      out += cell_html({row[i] + blanks[i][k], row[i].tone}, classes_of(row[i], table.columns[i].number));
    out += "</tr>\n";
  }
  return out;
}

}  // namespace

Room room_of(const Table& table) {
  constexpr double between = 14;  // columns
  constexpr std::array<double, 3> rooms{340, 590, 840};
  double needed = -between;
  for (std::size_t i = 0; i < table.columns.size(); ++i) needed += narrowest(table, i) + between;
  const auto fits = std::ranges::find_if(rooms, [&](double room) { return needed <= room; });
  return static_cast<Room>(fits - rooms.begin());
}

void HtmlTables::add_titles(const Table& table, const std::string& id) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (const std::string& title = table.columns[i].title; !title.empty())
      style_ += "#" + id + " td:nth-child(" + std::to_string(i + 1) + ")::before{content:" + css_string(title) + "}\n";
}

std::string HtmlTables::table(const Table& table, const std::string& label) {
  const Room room = room_of(table);
  const std::string css = css_of_room.at(static_cast<std::size_t>(room));
  const std::string id = "t" + std::to_string(++count_);
  if (!css.empty()) add_titles(table, id);
  // The caption is for screen readers. A visible caption would be as wide as the table and scroll away with it, so
  // sighted readers get a paragraph above.
  const std::string caption = table.caption.empty() || table.folded
                                  ? ""
                                  : html_element("p class=\"caption\" aria-hidden=\"true\"", table.caption, "p") + "\n";
  const std::string text = "<table" + (css.empty() ? "" : " id=\"" + id + "\" class=\"" + css + "\"") + ">" +
                           html_element("caption class=\"heard\"", label, "caption") + titles_html(table) +
                           "<tbody>\n" + rows_html(table) + "</tbody></table>";
  return caption + html_scrolling(label, text, table.rows.size());
}

}  // namespace retrial::report
