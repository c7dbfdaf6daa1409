// Numbers of a column for people. Expected texts: the values rounded by hand.
#include <limits>

#include "results/report/column_text.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::column_text_tests {

using retrial::report::behind_numbers;
using retrial::report::column_text;

namespace {

using Values = std::vector<std::optional<double>>;
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a column has six significant digits of its largest value, and the same decimals in every row") {
  CHECK(column_text(Values{88.45671267252196, 88.318, 9.1}) == Texts{"88.4567", "88.3180", "9.1000"});
  CHECK(column_text(Values{-3.08672, 0.0538, 0}) == Texts{"-3.08672", "0.05380", "0.00000"});
}

TEST_CASE("decimals that no value has are not written") {
  CHECK(column_text(Values{91.5, 90.25, 90}) == Texts{"91.50", "90.25", "90.00"});
  CHECK(column_text(Values{20, 3, 1}) == Texts{"20", "3", "1"});
  CHECK(column_text(Values{0.0, 0.0}) == Texts{"0", "0"});
}

TEST_CASE("a value that would vanish beside the largest keeps digits of its own") {
  CHECK(column_text(Values{3.0867123, 0.0000123456789}) == Texts{"3.08671", "1.23457e-05"});
}

TEST_CASE("very large and very small values have an exponent, and what is absent stays empty") {
  CHECK(column_text(Values{24684096.0, 5.0}) == Texts{"2.46841e+07", "5"});
  CHECK(column_text(Values{1.23456789e-9}) == Texts{"1.23457e-09"});
  CHECK(column_text(Values{std::nullopt, 1.5, std::numeric_limits<double>::infinity()}) == Texts{"", "1.5", "inf"});
  CHECK(column_text(Values{}).empty());
}

TEST_CASE("the room behind numbers brings their decimal points below each other") {
  const auto behind = [](const Texts& cells) {
    std::vector<std::pair<std::size_t, bool>> out;
    for (const auto& each : behind_numbers(cells)) out.emplace_back(each.digits, each.point);
    return out;
  };
  using Rooms = std::vector<std::pair<std::size_t, bool>>;
  CHECK(behind({"12", "0.0155", "", "-"}) == Rooms{{4, true}, {0, false}, {0, false}, {0, false}});
  CHECK(behind({"100 %", "< 0.01 %", "2.5 %"}) == Rooms{{2, true}, {0, false}, {1, false}});
  CHECK(behind({"[-1.45, -0.7914]", "[1, 2]"}) == Rooms{{0, false}, {4, true}});
  CHECK(behind({"20", "3", "1 of 2.5", "x1.5"}) == Rooms{{0, false}, {0, false}, {0, false}, {0, false}});
}

}  // namespace retrial::tests::column_text_tests
