// Weka's ARFF: https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/
#include "workloads/data/formats/arff.hpp"

#include <cmath>

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/data/files/data_folder.hpp"

namespace retrial::arff_tests {

using namespace retrial;
using namespace retrial::data;

namespace {

const std::string head =
    "% iris and others\n@RELATION 'some flowers'\n\n@ATTRIBUTE 'sepal length' NUMERIC\n@attribute colour {red, 'light "
    "blue'}\n@attribute note string\n@DATA\n";

Table read(const std::string& text) {
  const auto file = std::filesystem::temp_directory_path() / "retrial-arff-tests.arff";
  test::write_bytes(file, text);
  return load_arff(file);
}

std::string error_of(const std::string& text) {
  try {
    (void)read(text);
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::usage);
    return error.what();
  }
  return "read";
}

}  // namespace

TEST_CASE("names, types, quotes, unknown values and comments of an ARFF file") {
  const Table table = read(head + "5.1, red, 'a, \\'b\\''\n% between\n?,\"light blue\",?\r\n-1e2,?,'?'\n\n");
  REQUIRE(table.rows == 3);
  REQUIRE(table.columns.size() == 3);
  CHECK(table.columns[0].name == "sepal length");
  CHECK(table.columns[0].values[0] == 5.1);
  CHECK(std::isnan(table.columns[0].values[1]));
  CHECK(table.columns[0].values[2] == -100);
  CHECK(table.columns[1].categories == std::vector<std::string>{"light blue", "red"});
  CHECK(table.columns[1].codes == std::vector<std::uint32_t>{1, 0, TableColumn::missing_code});
  CHECK(table.columns[2].categories == std::vector<std::string>{"?", "a, 'b'"});  // a quoted ? is a text
  CHECK(table.columns[2].missing == 1);
}

TEST_CASE("what an ARFF file must not hold is refused with its line") {
  CHECK(error_of(head + "5.1,green,x\n").find("no value that attribute colour lists") != std::string::npos);
  CHECK(error_of(head + "5.1,green,x\n").find(":8:2") != std::string::npos);
  CHECK(error_of(head + "long,red,x\n").find("no number, and attribute sepal length is numeric") != std::string::npos);
  CHECK(error_of(head + "5.1,red\n").find("2 fields, expected 3") != std::string::npos);
  CHECK(error_of(head + "{0 5.1}\n").find("sparse rows") != std::string::npos);
  CHECK(error_of(head + "5.1,'red,x\n").find("a quote that does not end") != std::string::npos);
  CHECK(error_of(head + "5.1,'red' x,y\n").find("something follows a quoted value") != std::string::npos);
  CHECK(error_of(head).find("holds no row") != std::string::npos);
  CHECK(error_of("@relation x\n@data\n1\n").find("names no @attribute") != std::string::npos);
  CHECK(error_of("@attribute when date\n@data\n1\n").find("of the kind date") != std::string::npos);
  CHECK(error_of("@attribute a {x, y\n@data\nx\n").find("does not end") != std::string::npos);
  CHECK(error_of("a,b\n1,2\n").find("expected @relation, @attribute or @data") != std::string::npos);
  CHECK(error_of(head + std::string("5.1,red,\xff\n")).find("UTF-8") != std::string::npos);
}

}  // namespace retrial::arff_tests
