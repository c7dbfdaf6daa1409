// Section 6 and group C of the specification of automated search: the ledger.
#include <cmath>

#include "tests/catch.hpp"
#include "workloads/automl/core/ledger.hpp"

namespace retrial::automl_ledger_tests {

using namespace retrial::automl;

Record record(std::int64_t id, double rate, std::int64_t trees) {
  Record out{
      .evaluation = {.id = id, .configuration = {{"learning_rate", rate}, {"n_estimators", trees}}, .fidelity = 100},
      .learner = "xgboost"};
  return out;
}

TEST_CASE("a ledger has the hashes of the worked example") {
  Ledger ledger(Json{{"budget_cost", 1000},
                     {"data_sha256", "00"},
                     {"format", 1},
                     {"learners", Json::array({"xgboost"})},
                     {"searcher", "flow2/paper/1"},
                     {"seed", 1},
                     {"task", "t"},
                     {"virtual_workers", 1}});
  CHECK(results::hex(ledger.hash()) == "edaa70362fa7f03bc72c4f4dc45be77eecb569e8cff885b98d4250f910afc92c");
  Record first = record(0, .1, 4);
  first.outcome = {.loss = .25, .cost = 390};
  first.origin = "init";
  first.end = 390;
  ledger.append(first);
  CHECK(
      ledger.lines().back() ==
      R"({"config":{"learning_rate":"f64:3fb999999999999a","n_estimators":4},"cost":390,"error":null,"fidelity":100,"id":0,"learner":"xgboost","loss":"f64:3fd0000000000000","origin":"init","parent":-1,"vend":390,"vstart":0,"worker":0})");
  CHECK(results::hex(ledger.hash()) == "57f09b3f5eaf1fa530f9d7ca1c3939ab04a276f7e57ff859dfedea858e880a87");
  Record second = record(1, .2, 7);
  second.outcome = {.loss = std::nan(""), .cost = 547, .error = "nan_loss"};
  second.origin = "flow2:+", second.parent = 0, second.start = 390, second.end = 937;
  ledger.append(second);
  CHECK(ledger.lines().back().find(R"("loss":"f64:7ff8000000000000")") != std::string::npos);
  CHECK(bits_text(-0.0) == bits_text(0.0));
}

TEST_CASE("two ledgers part at a record and a field") {
  CHECK(difference(R"({"a":1,"b":2})", R"({"a":1,"b":3})", 17) == "differs at 17, field b: stored 2, proposed 3");
  CHECK(difference("x", "x", 1).empty());
}

}  // namespace retrial::automl_ledger_tests
