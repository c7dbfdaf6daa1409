// The time of an operation without the cost of profiling, from tables written by hand.
#include "harness/profile/shares.hpp"
#include "tests/catch.hpp"
#include "workloads/profiler/overhead/kinds.hpp"

namespace retrial::tests::shares_tests {

using namespace retrial::harness;
using profiler::bit_of, profiler::Category;

namespace {

profiler::CostEstimate costing(const std::string& kind, double ns) {
  return {.kind = kind, .status = profiler::CostStatus::estimated, .cost = ns, .mean = ns};
}

/// 1,000 ns: forward 600 in the library and 300 outside, data 100. Forward has 3 operations and 20 calls, of which 15
/// are made by others.
profiler::RunProfile run_of(std::uint64_t longer = 0) {
  profiler::RunProfile run{.region_ns = 1000 + longer};
  run.table[{.operations = {"forward"}, .categories = bit_of(Category::backend)}] = 600 + longer;
  run.table[{.operations = {"forward"}, .categories = bit_of(Category::app)}] = 300;
  run.table[{.operations = {"data"}, .categories = bit_of(Category::app)}] = 100;
  run.counts["forward"] = {.annotations = 3, .hooks = {{Category::backend, 20}}, .inner = {{Category::backend, 15}}};
  run.counts["data"] = {.annotations = 1};
  return run;
}

}  // namespace

TEST_CASE("each operation is charged for its own events, in the layer where they happen") {
  ProfiledVariant variant{
      .name = "a",
      .costs = {costing(profiler::annotation_kind, 10), costing(profiler::hook_kind(Category::backend), 4)},
      .full = {run_of(), run_of()}};
  const Shares shares = shares_of(variant);
  // forward, library: 600 - 15 * 4; forward, App: 300 - 3 * 10 - 5 * 4; data: 100 - 10.
  REQUIRE(shares.cells.size() == 3);
  CHECK(shares.cells[0].active == "Backend");
  CHECK(shares.cells[0].ns == 540);
  CHECK(shares.cells[0].raw_ns == 600);
  CHECK(shares.cells[1].ns == 250);
  CHECK(shares.cells[2].ns == 90);
  CHECK(shares.operations[0].operation == "forward");
  CHECK(shares.operations[0].ns == 790);
  CHECK(shares.raw_ns == 1000);
  CHECK(shares.ns == 880);
  CHECK(shares.charged_ns == 120);
  CHECK(shares.unplaced_ns == 0);
  CHECK(std::abs(shares.operations[0].share.point - 100 * 790.0 / 880) < 1e-10);
}

TEST_CASE("no cell falls below 0, and what did not fit is said") {
  ProfiledVariant variant{.name = "a", .costs = {costing(profiler::annotation_kind, 200)}, .full = {run_of()}};
  const Shares shares = shares_of(variant);
  CHECK(shares.ns == 600);  // App of forward 300 - 600, data 100 - 200
  CHECK(shares.unplaced_ns == 400);
  CHECK(!shares.operations[0].share.low);  // one pair has no interval
}

TEST_CASE("the interval of a share is Student's over the pairs") {
  ProfiledVariant variant{.name = "a", .full = {run_of(), run_of(1000)}};
  const Shares shares = shares_of(variant);
  // data: 10 % and 5 %; mean 7.5, standard error 2.5, t(.975, 1) = 12.706.
  const Share& data = shares.operations.back();
  CHECK(data.operation == "data");
  CHECK(std::abs(data.share.point - 7.5) < 1e-10);
  REQUIRE(data.share.high);
  CHECK(std::abs(*data.share.high - (7.5 + 2.5 * 12.706204736432095)) < 1e-9);
}

}  // namespace retrial::tests::shares_tests
