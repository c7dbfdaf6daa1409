// Which tables become cards, by the widths of label_text.hpp; that cards fit is measured in tests/browser.
#include "results/report/html_tables.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::html_tables_tests {

using namespace retrial::report;

namespace {

/// Columns of numbers "0.123456", 65 pixels each with the gap.
Table numbers(std::size_t columns) {
  Table out;
  for (std::size_t i = 0; i < columns; ++i) out.columns.push_back(right("p"));
  out.rows.emplace_back(columns, Cell("0.123456"));
  return out;
}

}  // namespace

TEST_CASE("the more columns a table has, the more room it needs") {
  CHECK(room_of(numbers(3)) == Room::phone);
  CHECK(room_of(numbers(6)) == Room::tablet);
  CHECK(room_of(numbers(10)) == Room::desk);
  CHECK(room_of(numbers(20)) == Room::none);
  CHECK(room_of(Table{}) == Room::phone);
}

TEST_CASE("a long name takes no more room than it may, a number is never broken") {
  const std::string name(200, 'x');
  CHECK(room_of({.columns = {{"variant"}, right("p")}, .rows = {{name, "0.1"}}}) == Room::phone);
  CHECK(room_of({.columns = {{"variant"}, right("p")}, .rows = {{"a", name}}}) == Room::none);
}

TEST_CASE("a text of several lines needs a column in which it can be read") {
  const std::string text = "a text of words that are short and many, which a column of three letters would break";
  CHECK(room_of({.columns = {{"why"}}, .rows = {{text}}}) == Room::phone);
  CHECK(room_of({.columns = {{"question"}, {"use"}}, .rows = {{text, text}}}) == Room::tablet);
}

TEST_CASE("a table that becomes cards brings the titles of its columns into the style sheet") {
  HtmlTables tables;
  const std::string plain = tables.table(numbers(2), "label");
  CHECK(tables.style().empty());
  CHECK_THAT(plain, has_text("<table><caption"));
  Table wide = numbers(6);
  wide.columns[1].title = "95 % \"CI\"</style>";
  const std::string cards = tables.table(wide, "label");
  CHECK_THAT(cards, has_text("<table id=\"t2\" class=\"tablet\">"));
  // CSS Syntax 3, 4.3.7: a backslash, the code point in hex and a blank stand for that character.
  CHECK_THAT(tables.style(),
             has_text("#t2 td:nth-child(2)::before{content:\"95 \\25  \\22 CI\\22 \\3c \\2f style\\3e \"}"));
}

TEST_CASE("numbers have invisible digits and points behind them, and a long table a height of its own") {
  HtmlTables tables;
  Table table{.columns = {right("p")}, .rows = {{"12"}, {"0.25"}}};
  CHECK_THAT(tables.table(table, "label"), has_text("<td class=\"n\">12\u2008\u2007\u2007</td>") &&
                                               has_text("<td class=\"n\">0.25</td>") &&
                                               has_text("<div class=\"scroll\""));
  table.rows.resize(11, {"1"});
  CHECK_THAT(tables.table(table, "label"), has_text("<div class=\"scroll long\""));
}

}  // namespace retrial::tests::html_tables_tests
