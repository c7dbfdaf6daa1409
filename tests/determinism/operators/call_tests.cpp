#include "determinism/operators/call.hpp"

#include <algorithm>
#include <set>

#include "determinism/operators/cases.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::determinism_operators_call_tests {

using namespace retrial::determinism;
using Lengths = std::vector<std::int64_t>;

namespace {

Json tensor(const Lengths& sizes, const Lengths& strides, const char* type = "Float") {
  return {{"tensor", type}, {"sizes", sizes}, {"strides", strides}};
}

Call product(std::int64_t m, std::int64_t k, std::int64_t n) {
  return {{"operator", "aten::mm"}, {"arguments", {tensor({m, k}, {k, 1}), tensor({k, n}, {1, k})}}};
}

Lengths sizes_of(const Call& call, std::size_t argument) {
  return call.at("arguments").at(argument).at("sizes").get<Lengths>();
}

}  // namespace

TEST_CASE("a product stays a product at every odd shape") {
  const auto odd = odd_shapes(product(4, 64, 10));
  std::set<std::int64_t> rows, inner, columns;
  for (const Call& call : odd) {
    const auto left = sizes_of(call, 0), right = sizes_of(call, 1);
    REQUIRE(left.at(1) == right.at(0));
    rows.insert(left.at(0));
    inner.insert(left.at(1));
    columns.insert(right.at(1));
  }
  for (std::int64_t tail = 1; tail <= 17; ++tail) {
    INFO("length " << tail);
    CHECK(rows.contains(tail));
    CHECK(inner.contains(tail));
    CHECK(columns.contains(tail));
  }
}

TEST_CASE("odd shapes reach above the 32,768 elements that the library divides, and stay small for an emulator") {
  const Call sum{{"operator", "aten::sum"}, {"arguments", {tensor({4, 10}, {10, 1})}}};
  std::int64_t largest = 0;
  for (const Call& call : odd_shapes(sum)) {
    CHECK(elements_of(call) <= 1 << 18);
    largest = std::max(largest, elements_of(call));
  }
  CHECK(largest > 32'768);
}

TEST_CASE("an odd shape is dense in the order of the recorded strides") {
  for (const Call& call : odd_shapes(product(4, 64, 10))) {
    const auto sizes = sizes_of(call, 1);
    CHECK(call.at("arguments").at(1).at("strides").get<Lengths>() == Lengths{1, sizes.at(0)});
  }
}

TEST_CASE("indices stay below every length that was made shorter") {
  Json index = tensor({4}, {1}, "Long");
  index["low"] = 0;
  index["high"] = 9;
  const Call select{{"operator", "aten::index_select"}, {"arguments", {tensor({10, 3}, {3, 1}), {{"int", 0}}, index}}};
  std::size_t shorter = 0;
  for (const Call& call : odd_shapes(select)) {
    const auto rows = sizes_of(call, 0).at(0);
    if (rows >= 10) continue;
    ++shorter;
    CHECK(call.at("arguments").at(2).at("high").get<std::int64_t>() < rows);
  }
  CHECK(shorter > 0);
}

TEST_CASE("behind a window the images keep height and width, because kernels do not check them") {
  const Call pool{{"operator", "aten::avg_pool2d"},
                  {"arguments", {tensor({6, 5, 8, 8}, {320, 64, 8, 1}), {{"window", {2, 2}}}}}};
  CHECK(free_lengths(pool) == Lengths{5, 6});
  for (const Call& call : odd_shapes(pool)) {
    CHECK(sizes_of(call, 0).at(2) == 8);
    CHECK(sizes_of(call, 0).at(3) == 8);
  }
}

TEST_CASE("calls of one kind differ in lengths, ranges and odd numbers only") {
  const auto power = [](double exponent, std::int64_t length) {
    const char* bits = exponent == 2.0 ? "4000000000000000" : exponent == .5 ? "3fe0000000000000" : "3fb999999999999a";
    return Call{{"operator", "aten::pow"}, {"arguments", {tensor({length}, {1}), {{"double", bits}}}}};
  };
  CHECK(kind_of(power(2.0, 3)) == kind_of(power(2.0, 4)));
  CHECK(kind_of(power(2.0, 3)) != kind_of(power(.5, 3)));
  CHECK(kind_of(power(.1, 3)) != kind_of(power(.5, 3)));
  CHECK(kind_of(product(2, 3, 4)) == kind_of(product(5, 6, 7)));
}

TEST_CASE("an audit takes smallest and largest of the recorded calls, and none too large where smaller ones exist") {
  std::vector<Call> recorded;
  for (std::int64_t rows = 2; rows <= 40; ++rows) recorded.push_back(product(rows, 64, 10));
  recorded.push_back(product(100'000, 64, 10));
  std::set<std::int64_t> met;
  for (const Case& one : cases_of(recorded))
    if (!one.odd) met.insert(sizes_of(one.call, 0).at(0));
  CHECK(*met.begin() == 2);
  CHECK(*met.rbegin() == 40);

  const auto alone = cases_of({product(100'000, 64, 10)});
  CHECK(std::ranges::count(alone, false, &Case::odd) == 1);
}

}  // namespace retrial::tests::determinism_operators_call_tests
