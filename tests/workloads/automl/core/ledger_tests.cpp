// Group C of the specification of automated search: cost, schedule, ledger; group A: keys; group B: transforms.
#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/automl/core/cost.hpp"
#include "workloads/automl/core/ledger.hpp"
#include "workloads/automl/core/schedule.hpp"
#include "workloads/automl/core/space.hpp"
#include "workloads/automl/core/streams.hpp"

namespace retrial::automl_core_tests {

using namespace retrial::automl;

TEST_CASE("keys of draws are those of the specification") {
  const std::uint64_t key = stream_key(1, "direction", 0, 0, 0);
  CHECK(word(key, 0) == 0xab3f28953bf535ce);
  CHECK(word(key, 1) == 0x7a4010c32b0d5eab);
  CHECK(word(key, 2) == 0xb6d28ff582771dfc);
  CHECK(word(key, 3) == 0x4b102d2e895298e5);
  CHECK(stream_key(1, "inner", 0, 0, 0) == 0xd3e6afcf42426c29);
  CHECK(stream_key(1, "inner", 0, 0, std::uint64_t{5} << 32) == 0xa80236589c999e21);
  CHECK(word(stream_key(7, "learner_seed", 1, 0, 12), 0) >> 33 == 740537421);
}

TEST_CASE("logarithms of integers") {
  const std::vector<std::pair<std::uint64_t, std::int64_t>> known{
      {1, 0},     {2, 1024},   {3, 1623},     {4, 2048},      {5, 2377},     {63, 6120},
      {64, 6144}, {255, 8186}, {1000, 10204}, {32767, 15359}, {32768, 15360}};
  for (const auto& [x, value] : known) CHECK(ilog2_q10(x) == value);
}

TEST_CASE("costs of trees, up to the largest that a space allows") {
  const auto cost = [](std::uint64_t trees, std::uint64_t outputs, std::uint64_t rows, std::uint64_t share,
                       std::uint64_t columns, std::uint64_t columns_share, std::uint64_t leaves) {
    return tree_cost({trees, outputs, rows, share, columns, columns_share, leaves});
  };
  CHECK(cost(4, 1, 4864, 1000, 5, 1000, 4) == 390);
  CHECK(cost(500, 3, 2079, 700, 18, 640, 31) == 178657);
  CHECK(cost(37, 7, 5787, 853, 54, 415, 200) == 267860);
  CHECK(cost(4, 1, 100, 100, 4, 10, 4) == 1);
  CHECK(cost(32768, 10, 1000000, 1000, 1000, 1000, 32768) == 4939776000000);
}

struct Landed {
  std::int64_t id, worker, start, end;
  bool operator==(const Landed&) const = default;
};

std::vector<Landed> landed(Schedule& schedule, const std::vector<std::int64_t>& costs) {
  std::vector<Landed> out;
  for (;;) {
    while (const auto worker = schedule.free_worker()) {
      const auto id = schedule.started();
      if (id >= std::ssize(costs) || !schedule.admits(costs.at(static_cast<std::size_t>(id)))) break;
      schedule.start(id, *worker, costs.at(static_cast<std::size_t>(id)));
    }
    if (schedule.under_way().empty()) return out;
    const Flight flight = schedule.land();
    out.push_back({flight.id, flight.worker, flight.start, flight.end});
  }
}

TEST_CASE("virtual time decides who trains what, and when results arrive") {
  const std::vector<std::int64_t> costs{5, 3, 3, 4, 2, 6, 1, 2};
  Schedule two(2, {.cost = 20});
  CHECK(landed(two, costs) ==
        std::vector<Landed>{{1, 1, 0, 3}, {0, 0, 0, 5}, {2, 1, 3, 6}, {4, 1, 6, 8}, {3, 0, 5, 9}, {5, 1, 8, 14}});
  CHECK(two.spent() == 23);
  CHECK_THAT(two.utilisation(), WithinAbs(.821429, 5e-7));
  Schedule three(3, {.cost = 100});
  CHECK(landed(three, costs) == std::vector<Landed>{{1, 1, 0, 3},
                                                    {2, 2, 0, 3},
                                                    {0, 0, 0, 5},
                                                    {4, 2, 3, 5},
                                                    {6, 2, 5, 6},
                                                    {3, 1, 3, 7},
                                                    {7, 2, 6, 8},
                                                    {5, 0, 5, 11}});
  CHECK_THAT(three.utilisation(), WithinAbs(.787879, 5e-7));
  Schedule four(4, {.cost = 100});
  CHECK(landed(four, costs) == std::vector<Landed>{{1, 1, 0, 3},
                                                   {2, 2, 0, 3},
                                                   {3, 3, 0, 4},
                                                   {0, 0, 0, 5},
                                                   {4, 1, 3, 5},
                                                   {6, 3, 4, 5},
                                                   {7, 0, 5, 7},
                                                   {5, 2, 3, 9}});
}

TEST_CASE("a budget admits while less than all of it is taken, a strict one never more") {
  Schedule plain(1, {.cost = 10});
  CHECK(landed(plain, std::vector<std::int64_t>(20, 2)).size() == 5);
  CHECK(plain.spent() == 10);
  Schedule over(1, {.cost = 9});
  CHECK(landed(over, std::vector<std::int64_t>(20, 2)).size() == 5);
  Schedule strict(1, {.cost = 9, .strict = true});
  CHECK(landed(strict, std::vector<std::int64_t>(20, 2)).size() == 4);
  Schedule counted(2, {.evaluations = 3});
  CHECK(landed(counted, std::vector<std::int64_t>(20, 2)).size() == 3);
}

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
  CHECK(hash_of_text(ledger.text()) == ledger.hash());
  std::string touched = ledger.text();
  touched[touched.find("390,\"error\"")] = '4';
  CHECK(hash_of_text(touched) != ledger.hash());
  CHECK(bits_text(-0.0) == bits_text(0.0));
}

TEST_CASE("two ledgers part at a record and a field") {
  CHECK(difference(R"({"a":1,"b":2})", R"({"a":1,"b":3})", 17) == "differs at 17, field b: stored 2, proposed 3");
  CHECK(difference("x", "x", 1).empty());
}

using Kind = Hyperparameter::Kind;

TEST_CASE("coordinates of whole numbers, logarithms and shares") {
  const auto one = [](Kind kind, double low, double high) {
    return Space({{.name = "x", .kind = kind, .low = low, .high = high, .init = low}});
  };
  const auto at = [](const Space& space, double z) { return space.chosen_at(std::vector{z}).at("x"); };
  const Space leaves = one(Kind::log_integer, 4, 1000);
  CHECK_THAT(leaves.normalised({{"x", std::int64_t{64}}}).front(), WithinAbs(.502238674411, 1e-12));
  CHECK(std::get<std::int64_t>(at(leaves, .5)) == 63);
  CHECK(std::get<std::int64_t>(at(leaves, .75)) == 251);
  const Space depth = one(Kind::integer, 1, 16);
  CHECK_THAT(depth.normalised({{"x", std::int64_t{6}}}).front(), WithinAbs(5. / 14, 1e-12));
  CHECK(std::get<std::int64_t>(at(depth, .5)) == 8);
  CHECK(std::get<std::int64_t>(at(depth, .25)) == 4);  // 4.5, half to even
  CHECK_THAT(one(Kind::log_integer, 4, 32768).min_step({{"x", std::int64_t{4}}}), WithinAbs(.024763783, 1e-9));
  CHECK(one(Kind::linear, 0, 1).min_step({{"x", .5}}) == 1e-4);
  std::vector<Hyperparameter> seven(7, {.kind = Kind::linear});
  for (std::size_t i = 0; i < seven.size(); ++i) seven[i].name = "x" + std::to_string(i);
  seven[0] = {.name = "x0", .kind = Kind::log_integer, .low = 4, .high = 1000, .init = 4};
  CHECK_THAT(Space(seven).min_step({{"x0", std::int64_t{100}}}), WithinAbs(.004768823415, 1e-12));
  CHECK(rounded(1. / 3) == .333333333333);
}

TEST_CASE("a fixed parameter is no dimension, and a choice keeps its value in its own bin") {
  const Space space({{.name = "fixed", .low = 2, .high = 2, .init = 2},
                     {.name = "kind", .kind = Kind::choice, .init = 1, .choices = {"a", "b", "c"}}});
  REQUIRE(space.dimensions() == 1);
  const Chosen start = space.initial();
  CHECK(std::get<std::int64_t>(space.chosen_at(std::vector{.5}, start, 1).at("kind")) == 1);
  for (std::uint64_t key = 0; key < 50; ++key)
    CHECK(std::get<std::int64_t>(space.chosen_at(std::vector{.9}, start, key).at("kind")) != 1);
}

}  // namespace retrial::automl_core_tests
