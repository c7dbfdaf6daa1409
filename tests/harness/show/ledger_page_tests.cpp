// Where two ledgers part. Expected values follow from the texts.
#include "harness/show/ledger_page.hpp"

#include "results/text/error.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::ledger_page_tests {

using namespace retrial;
using namespace retrial::harness;

namespace {

const std::string header = R"({"searcher":"flaml","seeds":{"hopt":"1","init":"2"}})"
                           "\n";
const std::string first =
    R"({"config":{"lr":"f64:3fb999999999999a","trees":4},"error":null,"id":0,"loss":"f64:3fd0000000000000"})"
    "\n";
const std::string second =
    R"({"config":{"lr":"f64:3fc999999999999a","trees":7},"error":null,"id":1,"loss":"f64:3fc0000000000000"})"
    "\n";

StoredLedger ledger(const std::string& text, const std::string& name = "a/0") {
  return ledger_from(text, name);
}

}  // namespace

TEST_CASE("equal ledgers differ nowhere") {
  CHECK(difference_of(ledger(header + first), ledger(header + first)).equal());
}

TEST_CASE("the first record that differs is named with its fields, inside the configuration too") {
  auto other = second;
  other.replace(other.find("\"trees\":7"), 9, "\"trees\":8");
  const auto found = difference_of(ledger(header + first + second), ledger(header + first + other));
  CHECK(found.header.empty());
  REQUIRE(found.record == 1);
  REQUIRE(found.fields.size() == 1);
  CHECK(found.fields[0].field == "config.trees");
  CHECK(found.fields[0].a == 7);
  CHECK(found.fields[0].b == 8);
}

TEST_CASE("a difference in the last bit is shown with its bits") {
  auto other = first;
  other.replace(other.find("3fd0000000000000"), 16, "3fd0000000000001");
  const auto a = ledger(header + first), b = ledger(header + other, "b/0");
  const auto found = difference_of(a, b);
  CHECK(found.record == 0);
  const auto part = difference_part(a, b, found);
  CHECK(part.data.at("fields").at(0).at("field") == "loss");
  const auto& table = std::get<report::Table>(part.section->blocks.at(0));
  CHECK(table.rows.at(0).at(1) != table.rows.at(0).at(2));
}

TEST_CASE("headers and lengths differ, too") {
  auto other = header;
  other.replace(other.find("\"hopt\":\"1\""), 10, "\"hopt\":\"3\"");
  const auto found = difference_of(ledger(header + first + second), ledger(other + first));
  REQUIRE(found.header.size() == 1);
  CHECK(found.header[0].field == "seeds.hopt");
  CHECK(found.record == 1);
  CHECK(found.fields.at(0).field == "records");
  CHECK_FALSE(found.equal());
}

TEST_CASE("a page has a column for each field that is used, and doubles as decimals") {
  const auto part = ledger_part(ledger(header + first + second));
  const auto& table = std::get<report::Table>(part.section->blocks.at(1));
  std::vector<std::string> titles;
  for (const auto& column : table.columns) titles.push_back(column.title);
  CHECK(titles == std::vector<std::string>{"record", "id", "loss", "config"});
  CHECK(table.rows.at(0) == std::vector<report::Cell>{"0", "0", "0.25", "lr=0.1 trees=4"});
  CHECK(part.data.at("records").size() == 2);
}

TEST_CASE("a line that is no object is damage") {
  CHECK_THROWS_AS(ledger_from(header + "x\n", "a/0"), Error);
}

}  // namespace retrial::tests::ledger_page_tests
