#include "workloads/command/reading/number.hpp"

#include <bit>
#include <cmath>

#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/command/reading/reading.hpp"

namespace retrial::tests::number_tests {

using namespace retrial;
using namespace retrial::workloads::command;

TEST_CASE("numbers are read as programs print them") {
  const std::vector<std::pair<std::string, double>> table{{"0.93", 0.93},
                                                          {"93.1%", 93.1},
                                                          {"-0.5", -0.5},
                                                          {"+2", 2},
                                                          {"1.5e-05", 1.5e-05},
                                                          {"1E+3", 1000},
                                                          {".5", 0.5},
                                                          {"5.", 5},
                                                          {"0.93.", 0.93},
                                                          {"0.93, b", 0.93},
                                                          {"0.93)", 0.93},
                                                          {"7\n", 7},
                                                          {"0.93\xc2\xb1"
                                                           "0.01",
                                                           0.93},
                                                          {"0.93+/-0.01", 0.93},
                                                          {"1e308", 1e308},
                                                          {"4 of 5", 4},
                                                          {"00012", 12},
                                                          {"5;6", 5},
                                                          {"3-fold", 3},
                                                          {"0.5]", 0.5},
                                                          {"-0", -0.0},
                                                          {"0.9s", 0.9},
                                                          {"3e-2s,", 0.03},
                                                          {"12345678901234567890", 12345678901234567890.0}};
  for (const auto& [text, expected] : table) {
    CAPTURE(text);
    const auto number = number_at(text);
    REQUIRE(number);
    CHECK(std::bit_cast<std::uint64_t>(number->value) == std::bit_cast<std::uint64_t>(expected));
  }
}

TEST_CASE("half of something else is no number") {
  for (const std::string text : {"",
                                 "abc",
                                 "-",
                                 ".",
                                 "e5",
                                 "1.5e",
                                 "1.5ms",
                                 "0x1F",
                                 "1_000",
                                 "1,234",
                                 "0,93",
                                 "12:30",
                                 "3/10",
                                 "1.2.3",
                                 "2021-04-03",
                                 "--5",
                                 "- 5",
                                 "1e-",
                                 "1e999",
                                 "1e-999",
                                 "5\xc2\xb5s",
                                 "1.5e-05x",
                                 "nano",
                                 "information",
                                 "infant",
                                 "nan5",
                                 "\xe2\x88\x92"
                                 "5",
                                 "93%5",
                                 "5sec",
                                 "5%s"}) {
    CAPTURE(text);
    CHECK_FALSE(number_at(text));
  }
}

TEST_CASE("a diverged loss is a number") {
  for (const std::string text : {"nan", "NaN", "NAN", "-nan", "nan,"}) CHECK(std::isnan(number_at(text).value().value));
  for (const std::string text : {"inf", "Inf", "INFINITY", "+inf", "Infinity "})
    CHECK(number_at(text).value().value == HUGE_VAL);
  CHECK(number_at("-inf")->value == -HUGE_VAL);
}

TEST_CASE("any double that is printed is read back to the bit") {
  variance::Stream stream(variance::derive(1, "doubles"));
  for (int i = 0; i < 5000; ++i) {
    const auto value = std::bit_cast<double>(stream.next());
    if (!std::isfinite(value) || std::fpclassify(value) == FP_SUBNORMAL) continue;
    const auto read = last_value("score = " + results::text_of(value) + "\n", {.name = "score", .pattern = {}});
    CAPTURE(results::text_of(value));
    REQUIRE(read);
    CHECK(std::bit_cast<std::uint64_t>(*read) == std::bit_cast<std::uint64_t>(value));
  }
}

TEST_CASE("a number that no double can hold is told from no number") {
  for (const std::string text : {"1e999", "-1e999", "1e-999", "1e400%"}) CHECK(out_of_range_at(text));
  CHECK(out_of_range_at(std::string(400, '9') + " more"));
  for (const std::string text : {"1e308", "abc", "", "nan", "inf", "1e999x", "1,234"})
    CHECK_FALSE(out_of_range_at(text));
}

TEST_CASE("a text is a number as a whole or not at all") {
  CHECK(whole_number(" 0.5\t") == 0.5);
  CHECK(whole_number("93%") == 93.0);
  for (const std::string text : {"", " ", "0.5 0.6", "0.5)", "a", "1,5"}) CHECK_FALSE(whole_number(text));
}

}  // namespace retrial::tests::number_tests
