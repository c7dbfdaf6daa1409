#include "workloads/data/formats/table_lines.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::table_lines_tests {

using namespace retrial;
using data::table_lines;
using Rows = std::vector<std::vector<std::string>>;

namespace {

Rows rows_of(const data::TableLines& lines) {
  Rows out;
  for (const auto line : lines) {
    out.emplace_back();
    for (const auto field : line) out.back().emplace_back(field.text);
  }
  return out;
}

}  // namespace

TEST_CASE("fields point into the text, and those that stand otherwise in it are kept beside it") {
  const std::string text = "\xef\xbb\xbf a ,\"b \"\"quoted\"\"\",\"c, d\"\r\n1,\"\",  \n";
  const auto lines = table_lines("t.csv", text, ',');
  CHECK(rows_of(lines) == Rows{{"a", "b \"quoted\"", "c, d"}, {"1", "", ""}});
  CHECK_FALSE(lines[0][0].quoted);
  CHECK(lines[0][1].quoted);
  CHECK(lines[1][1].quoted);
  CHECK(lines[0][0].text.data() == text.data() + 4);
  CHECK(lines[0].size() == 3);
  CHECK(lines[0].back().text == "c, d");
}

TEST_CASE("a field is replaced, and the last column dropped, without touching the others") {
  const std::string text = "a,b,\n1,2,\n3,4,\n";
  auto lines = table_lines("t.csv", text, ',');
  lines.replace(1, 1, "2.5");
  lines.replace(2, 0, lines[0][1].text);
  lines.drop_last_column();
  CHECK(rows_of(lines) == Rows{{"a", "b"}, {"1", "2.5"}, {"b", "4"}});
  CHECK(text == "a,b,\n1,2,\n3,4,\n");
}

TEST_CASE("a table with more fields than asked for is refused before it is cut") {
  CHECK(table_lines("t.csv", "a,b\n1,2\n", ',', 5).size() == 2);  // an estimate from above: a line more
  CHECK_THROWS_WITH(table_lines("t.csv", "a,b,c\n1,2\n", ',', 5), has_text("more than 5 fields"));
}

}  // namespace retrial::tests::table_lines_tests
