// Row counts of the shared tables: the README of the shared data. Formats of scikit-learn's small tables: the first
// lines of its files, written here in the same shape.
#include <cmath>

#include "results/text/error.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/formats/table.hpp"

namespace retrial::tests::formats_table_tests {

using namespace retrial;

namespace {

data::Table table_of(const std::string& text, const data::TableFormat& format = {}) {
  const test::Folder folder;
  test::write_bytes(folder.path() / "t.csv", text);
  return data::load_table(folder.path() / "t.csv", format);
}

std::string problem_of(const std::string& text, const data::TableFormat& format = {}) try {
  (void)table_of(text, format);
  return "";
} catch (const Error& wrong) {
  CHECK(wrong.text.exit == Exit::usage);
  return wrong.what();
}

using Codes = std::vector<std::uint32_t>;
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("columns of numbers stay numbers, others get codes by the sorted order of their texts") {
  const data::Table table = table_of("1.5,b,7\n-2e3, a ,x\n.25,b,7\n");
  REQUIRE(table.rows == 3);
  CHECK(table.columns[0].values == std::vector<double>{1.5, -2000, .25});
  CHECK_FALSE(table.columns[1].numeric);
  CHECK(table.columns[1].categories == Texts{"a", "b"});
  CHECK(table.columns[1].codes == Codes{1, 0, 1});
  CHECK(table.columns[2].categories == Texts{"7", "x"});
  CHECK(table.columns[0].name == "1");
}

TEST_CASE("codes follow the order of bytes, not of a locale") {
  CHECK(table_of("b\nB\n\xc3\xa4\na\n").columns[0].categories == Texts{"B", "a", "b", "\xc3\xa4"});
}

TEST_CASE("a header names the columns and is no row") {
  const data::Table table = table_of("age,\"job, title\"\r\n31,clerk\r\n\r\n", {.header = data::TableHeader::names});
  CHECK(table.rows == 1);
  CHECK(table.columns[1].name == "job, title");
  CHECK(table.columns[0].values == std::vector<double>{31});
}

TEST_CASE("missing fields are counted and marked, quoted ones are text") {
  const data::Table table = table_of("1,?,\"?\"\n,a,b\n?,b,b\n");
  CHECK(table.columns[0].numeric);
  CHECK(table.columns[0].missing == 2);
  CHECK(std::isnan(table.columns[0].values[1]));
  CHECK(table.columns[1].codes == Codes{data::TableColumn::missing_code, 0, 1});
  CHECK(table.columns[2].missing == 0);
  CHECK(table.columns[2].categories == Texts{"?", "b"});
  CHECK(table_of("?\n1\n", {.missing = {}}).columns[0].categories == Texts{"1", "?"});
}

TEST_CASE("a column of numbers is text where that is asked for") {
  const data::Table table = table_of("1,10\n2,9\n", {.categorical = {1}});
  CHECK(table.columns[1].categories == Texts{"10", "9"});
  CHECK(table.columns[1].codes == Codes{0, 1});
  CHECK_THROWS_AS(table_of("1,10\n", {.categorical = {2}}), InvalidInput);
}

TEST_CASE("numbers that are not finite, or are followed by other characters, make a column text") {
  for (const char* field : {"nan", "inf", "1e999", "12 apples", "0x10", "1,5"})
    CHECK_FALSE(table_of(std::string("\"") + field + "\"\n1\n").columns[0].numeric);
  for (const char* field : {"nan", "inf", "1e999", "12kg", "0x10"})
    CHECK_FALSE(table_of(std::string(field) + "\n1\n").columns[0].numeric);
}

TEST_CASE("a table that is not well formed names file, line and column") {
  CHECK_THAT(problem_of("1,2\n3\n"), has_text("t.csv:2:2: 1 fields, expected 2"));
  CHECK_THAT(problem_of("1,2\n3,4,5\n"), has_text("t.csv:2:3: 3 fields, expected 2"));
  CHECK_THAT(problem_of("1,\"2\n"), has_text("t.csv:1:2: a quote is not closed"));
  CHECK_THAT(problem_of("1,\"2\"x\n"), has_text("t.csv:1:2: text follows a closing quote"));
  CHECK_THAT(problem_of("1,2\"x\"\n"), has_text("t.csv:1:2: a quote inside a field"));
  CHECK_THAT(problem_of("1\n\n2\n"), has_text("t.csv:2:1: an empty line before the end"));
  CHECK_THAT(problem_of(std::string("1\n2\0\n", 5)), has_text("t.csv:2:1: a NUL byte"));
  CHECK_THAT(problem_of(std::string("\xff\xfe"
                                    "1\0\n\0",
                                    6)),
             has_text("t.csv:1:1: the file is UTF-16: save it as UTF-8"));
  CHECK_THAT(problem_of("a\nb\xff\n"), has_text("t.csv:2:1: byte 2 of the line is not UTF-8"));
  CHECK_THAT(problem_of("a\rb\n"), has_text("t.csv:1:1: a CR"));
  CHECK_THAT(problem_of(std::string((1 << 20) + 1, 'x')), has_text("t.csv:1:1: a line of more than 1 MiB"));
  CHECK_THAT(problem_of(std::string(10001, ',')), has_text("more than 10000 fields"));
  CHECK_THAT(problem_of(""), has_text("t.csv: holds no row"));
  CHECK_THAT(problem_of("a,b\n", {.header = data::TableHeader::names}), has_text("holds no row"));
  CHECK_THAT(problem_of("a\n1,2\n", {.header = data::TableHeader::names}), has_text("names 1 columns"));
}

TEST_CASE("quotes keep separators, blanks and doubled quotes") {
  const data::Table table = table_of("\"a, \"\"b\"\" \" , x\n");
  CHECK(table.columns[0].categories == Texts{"a, \"b\" "});
  CHECK(table.columns[1].categories == Texts{"x"});
}

TEST_CASE("the header of scikit-learn's iris, wine and breast cancer tables must agree with their rows") {
  const data::TableFormat format{.header = data::TableHeader::counts};
  const data::Table table = table_of("2,4,setosa,versicolor\n5.1,3.5,1.4,0.2,0\n7.0,3.2,4.7,1.4,1\n", format);
  CHECK(table.rows == 2);
  CHECK(table.columns.size() == 5);
  CHECK(table.class_names == Texts{"setosa", "versicolor"});
  CHECK_THAT(problem_of("3,1,a,b\n1,0\n2,1\n", format), has_text("t.csv:1:1: the header does not declare the 2 rows"));
  CHECK_THAT(problem_of("2,2,a,b\n1,0\n2,1\n", format), has_text("t.csv:1:2"));
  CHECK_THAT(problem_of("2,1,a,b\n1,0\n2,2\n", format), has_text("t.csv:3:2: expected a class number"));
}

TEST_CASE("tables separated by blanks are read with and without a header, gzip'd too") {
  const data::Table named =
      table_of("Chins Situps Jumps\n5 162 60\n2 110 60\n", {.header = data::TableHeader::names, .separator = ' '});
  CHECK(named.columns[2].name == "Jumps");
  CHECK(named.columns[1].values == std::vector<double>{162, 110});
  const std::string plain = "  5.9e+01  2.0\n4.8e+01 1.0 \n";
  const data::Table packed = table_of(test::gzipped(plain), {.separator = ' '});
  CHECK(packed.columns[0].values == std::vector<double>{59, 48});
  CHECK(packed.columns.size() == 2);
  CHECK(packed.content == results::sha256(plain));
  CHECK(packed.file.sha256 != packed.content);
}

TEST_CASE("the shared tables have their published rows and columns", "[needs-data]") {
  const auto folder = test::real_data("tabular");
  if (!folder) return;
  struct Expected {
    std::string file;
    std::uint32_t rows;
    std::size_t columns, categorical;
  };
  // Columns: the documentation of each set (german: 20 attributes, 13 of them categorical, and the class).
  for (const Expected& expected : {Expected{"adult-train", 32561, 15, 9}, Expected{"phoneme", 5404, 6, 0},
                                   Expected{"winequality-white", 4898, 12, 0}, Expected{"abalone", 4177, 9, 1},
                                   Expected{"german", 1000, 21, 13}, Expected{"pima-indians-diabetes", 768, 9, 0}}) {
    CAPTURE(expected.file);
    const data::Table table = data::load_table(*folder / (expected.file + ".csv"));
    CHECK(table.rows == expected.rows);
    CHECK(table.columns.size() == expected.columns);
    CHECK(std::count_if(table.columns.begin(), table.columns.end(), [](const data::TableColumn& column) {
            return !column.numeric;
          }) == static_cast<std::ptrdiff_t>(expected.categorical));
  }
  const data::Table adult = data::load_table(*folder / "adult-train.csv");
  CHECK(adult.columns[14].categories == Texts{"<=50K", ">50K"});
  CHECK(adult.columns[1].missing == 1836);  // documented by the authors: workclass, occupation, native country
  CHECK(adult.columns[6].missing == 1843);
  CHECK(adult.columns[13].missing == 583);
}

}  // namespace retrial::tests::formats_table_tests
