#include "workloads/published/read.hpp"

#include <string>

#include "tests/catch.hpp"

namespace retrial::tests::read_tests {

using namespace retrial;
using namespace retrial::published;

namespace {

std::string document(const std::string& row) {
  return R"({"name": "t", "title": "T", "sd": 0.5, "sd_from": "repeats",
             "columns": [{"part": "student", "title": "network"}],
             "settings": {"alone": ["dataset", "assistant=none"], "long": ["epochs=350"], "kd": ["w_ce=0.5"]},
             "groups": [{"note": "n", "source": "s", "table": "1", "origin": "page", "dataset": "digits", "runs": 3,
                         "columns": ["id", "method", "student", "value", "subject", "protocol", "sd", "printed_change"],
                         "rows": [)" +
         row + R"(]}],
             "conclusions": [{"name": "a", "text": "x", "gaps": [
               {"what": "kd - ce", "row": "1", "baseline": "2", "relation": "within", "margin": 0.35}]}]})";
}

}  // namespace

TEST_CASE("a row has the fields of its group, its own values and the defaults of a row") {
  const Table table = read_table(document(R"(["a", "kd", "cnn8", 90.1, "alone", "long kd", 0.3, 0.2])"));
  CHECK(table.sd == 0.5);
  REQUIRE(table.rows.size() == 1);
  const Row& row = table.rows.front();
  CHECK(row.value == 90.1);
  CHECK(row.label == "kd");
  CHECK(row.metric == "top-1");
  CHECK(row.verified);
  CHECK(row.runs == 3);
  CHECK(row.sd == 0.3);
  CHECK_FALSE(row.base);
  CHECK(row.printed_change == 0.2);
  CHECK(part_of(row, "student") == "cnn8");
  REQUIRE(row.subject.size() == 2);
  CHECK((row.subject[0].key == "dataset" && row.subject[0].value == "digits"));
  CHECK((row.subject[1].key == "assistant" && row.subject[1].value == "none"));
  REQUIRE(row.protocol.size() == 2);
  CHECK((row.protocol[1].key == "w_ce" && row.protocol[1].value == "0.5"));
  const Gap& gap = table.conclusions.front().gaps.front();
  CHECK((gap.relation == Relation::within && gap.margin == 0.35));
}

TEST_CASE("rows keep the order of the file, and a value of one row does not reach the next") {
  const Table table =
      read_table(document(R"(["b", "kd", "cnn8", 1, "", "", null, 0.2], ["a", "ce", "cnn8", 2, "", "", null, null])"));
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].id == "b");
  CHECK(table.rows[1].id == "a");
  CHECK(table.rows[1].label == "ce");
  CHECK_FALSE(table.rows[1].printed_change);
  CHECK(table.rows[1].subject.empty());
}

TEST_CASE("a row without a value, with too few values or with unknown settings is an error") {
  CHECK_THROWS(read_table(document(R"(["a", "kd", "cnn8", null, "", "", null, null])")));
  CHECK_THROWS(read_table(document(R"(["a", "kd"])")));
  CHECK_THROWS(read_table(document(R"(["a", "kd", "cnn8", 1, "missing", "", null, null])")));
  CHECK_THROWS(read_table("{}"));
}

}  // namespace retrial::tests::read_tests
