// What a page leaves out, and that it says so.
#include "results/report/page_limits.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::page_limits_tests {

using namespace retrial;
using namespace retrial::report;

namespace {

Table table_of(std::size_t rows) {
  Table out{.columns = {{"row", true}}};
  for (std::size_t i = 0; i < rows; ++i) out.rows.push_back({std::to_string(i)});
  return out;
}

Report report_with(Block block) {
  Report out;
  out.sections.push_back({.id = "s", .title = "s", .blocks = {std::move(block)}});
  out.data = Json::object();
  return out;
}

const Table& table_in(const Report& report) {
  const Block& block = report.sections[0].blocks[0];
  if (const auto* figure = std::get_if<Figure>(&block)) return figure->data;
  return std::get<Table>(block);
}

constexpr PageLimits small{.figure_rows = 10, .table_bytes = 130, .data_bytes = 100};

}  // namespace

TEST_CASE("the numbers behind a figure keep every k-th row and the last, and the caption says so") {
  Report report = report_with(Figure{.title = "f", .description = "d", .plot = {}, .data = table_of(96), .svg = ""});
  limit_page(report, {.figure_rows = 10});
  const Table& table = table_in(report);
  REQUIRE(table.rows.size() == 11);  // 0, 10, ..., 90, and 95
  CHECK(table.rows[1][0] == "10");
  CHECK(table.rows.back()[0] == "95");
  CHECK(table.caption == "Every 10th of 96 rows; all of them: retrial report --full.");
}

TEST_CASE("an open figure keeps its rows: they are read one by one") {
  Report report =
      report_with(Figure{.title = "f", .description = "d", .plot = {}, .data = table_of(96), .open = true, .svg = ""});
  limit_page(report, {.figure_rows = 10});
  CHECK(table_in(report).rows.size() == 96);
}

TEST_CASE("a table above its size keeps its first rows, and at least one") {
  Report report = report_with(table_of(50));
  limit_page(report, small);  // 11 bytes a row
  CHECK(table_in(report).rows.size() == 11);
  CHECK(table_in(report).caption == "The first 11 of 50 rows; all of them: retrial report --full.");
  Report one = report_with(Table{.columns = {{"text"}}, .rows = {{std::string(500, 'x')}, {"y"}}});
  limit_page(one, small);
  CHECK(table_in(one).rows.size() == 1);
}

TEST_CASE("the largest members of the data are left out first, and named") {
  Report report = report_with(table_of(3));
  report.data = {{"small", 1}, {"large", std::string(200, 'x')}, {"middle", std::string(60, 'y')}};
  limit_page(report, small);
  CHECK(report.data == Json{{"small", 1}, {"middle", std::string(60, 'y')}, {"left_out", {"large"}}});
}

TEST_CASE("a page of many tables is halved until it is small, and each table says what of it is left") {
  Report report;
  report.data = Json::object();
  for (int i = 0; i < 20; ++i)
    report.sections.push_back({.id = "s", .title = "s", .blocks = {table_of(2'000)}});  // 25 kB of text, 56 kB of page
  const std::string page = limited_html(report);
  CHECK(page.size() < 480'000);
  CHECK_THAT(page, has_text("of 2000 rows; all of them: retrial report --full."));
  report.sections.resize(2);
  CHECK_THAT(limited_html(report), !has_text("retrial report --full"));
}

TEST_CASE("a page within its limits is not changed") {
  Report report = report_with(table_of(8));
  report.data = {{"small", 1}};
  limit_page(report, small);
  CHECK(table_in(report).rows.size() == 8);
  CHECK(table_in(report).caption.empty());
  CHECK(report.data == Json{{"small", 1}});
}

}  // namespace retrial::tests::page_limits_tests
