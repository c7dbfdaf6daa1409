#include "tests/catch.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "results/text/cleaned.hpp"
#include "results/text/text.hpp"
#include "results/text/utf8.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::text_tests {

using namespace retrial;
using namespace retrial::results;

TEST_CASE("doubles are written in the shortest form that reads back, and as their bits") {
  // Reference values of the specification of results, 16.1, and of determinism, 28.2 F.
  struct Row {
    double value;
    const char *text, *bits;
  };
  const auto row = GENERATE(values<Row>({{1, "1.0", "3ff0000000000000"},
                                         {-0.0, "-0.0", "8000000000000000"},
                                         {100000, "1e+05", "40f86a0000000000"},
                                         {123456, "123456.0", "40fe240000000000"},
                                         {123456789012345680.0, "123456789012345680.0", "437b69b4ba630f35"},
                                         {9007199254740993.0, "9007199254740992.0", "4340000000000000"},
                                         {299792458, "299792458.0", "41b1de784a000000"},
                                         {1e-4, "1e-04", "3f1a36e2eb1c432d"},
                                         {1.0 / 3, "0.3333333333333333", "3fd5555555555555"},
                                         {5e-324, "5e-324", "0000000000000001"},
                                         {1.7976931348623157e308, "1.7976931348623157e+308", "7fefffffffffffff"},
                                         {0.05, "0.05", "3fa999999999999a"},
                                         {255.75, "255.75", "406ff80000000000"},
                                         {1e22, "1e+22", "4480f0cf064dd592"},
                                         {1e300, "1e+300", "7e37e43c8800759c"}}));
  CHECK(text_of(row.value) == row.text);
  CHECK(hex_of_bits(row.value) == row.bits);
  CHECK(double_from_hex(row.bits).value() == row.value);
  CHECK(hex_of_bits(parse_double(row.text).value()) == row.bits);
}

TEST_CASE("infinities and NaN have words and bits") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(text_of(infinity) == "inf");
  CHECK(text_of(-infinity) == "-inf");
  CHECK(text_of(std::nan("")) == "NaN");
  CHECK(hex_of_bits(infinity) == "7ff0000000000000");
  CHECK(hex_of_bits(-infinity) == "fff0000000000000");
  CHECK(hex_of_bits(double_from_hex("7ff8000000000001").value()) == "7ff8000000000001");
  CHECK(std::bit_cast<std::int64_t>(-1.5) == -4613937818241073152);  // 16.1: as an SQL integer
}

TEST_CASE("any double written as text reads back to the same bits") {
  variance::Stream stream(7);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(stream.next());
    if (!std::isfinite(value)) continue;
    REQUIRE(std::bit_cast<std::uint64_t>(parse_double(text_of(value)).value()) == std::bit_cast<std::uint64_t>(value));
  }
}

TEST_CASE("integers and flags are not written as doubles") {
  CHECK(text_of(3) == "3");
  CHECK(text_of(std::int64_t{-7}) == "-7");
  CHECK(text_of(true) == "true");
  CHECK(text_of(Value{false}) == "false");
  CHECK(text_of(Value{std::int64_t{5}}) == "5");
  CHECK(text_of(Value{5.0}) == "5.0");
  CHECK(text_of(Value{std::string("x")}) == "x");
  CHECK(text_of("literal") == "literal");
  CHECK(text_of(0.5f) == "0.5");
}

TEST_CASE("derived numbers are rounded to ten significant digits") {
  CHECK(text_of(rounded10(1.0 / 3)) == "0.3333333333");
  CHECK(text_of(rounded10(2.0 / 3)) == "0.6666666667");
  CHECK(text_of(rounded10(-12345678901234.0)) == "-12345678900000.0");
  CHECK(rounded10(0.1) == 0.1);
  CHECK(std::isnan(rounded10(std::nan(""))));
  CHECK(hex_of_bits(rounded10(-0.0)) == "8000000000000000");
  // Rounding the largest double up would overflow: it stays.
  CHECK(rounded10(std::numeric_limits<double>::max()) == std::numeric_limits<double>::max());
}

TEST_CASE("numbers are parsed whole or not at all") {
  const auto bad = GENERATE(as<std::string>{}, "", " 1", "1 ", "12banana", "1,5", "nan", "inf", "1e999", "+1", "0x10");
  CHECK_FALSE(parse_double(bad));
  CHECK(parse_double("-1.5e-3").value() == -0.0015);
}

TEST_CASE("integers are parsed in their whole range") {
  CHECK(parse_int("-9223372036854775808").value() == INT64_MIN);
  CHECK_FALSE(parse_int("9223372036854775808"));
  CHECK_FALSE(parse_int("1.0"));
  CHECK(parse_u64("18446744073709551615").value() == UINT64_MAX);
  CHECK(parse_u64("0xffffffffffffffff").value() == UINT64_MAX);
  CHECK_FALSE(parse_u64("-1"));
  CHECK_FALSE(parse_u64("0x"));
  CHECK_FALSE(parse_u64("0x-1"));
  CHECK_FALSE(parse_u64("18446744073709551616"));
}

TEST_CASE("hex goes there and back, and is refused when it is not hex") {
  CHECK(hex16(0xb228fb15a420d173) == "b228fb15a420d173");
  CHECK(parse_hex16("b228fb15a420d173").value() == 0xb228fb15a420d173);
  CHECK_FALSE(parse_hex16("B228fb15a420d173"));
  CHECK_FALSE(parse_hex16("b228fb15a420d17"));
  CHECK_FALSE(parse_hex16("-228fb15a420d173"));
  const std::vector<std::uint8_t> bytes = {0x00, 0xff, 0x1a};
  CHECK(hex(std::span<const std::uint8_t>(bytes)) == "00ff1a");
  CHECK(bytes_from_hex("00FF1a").value() == bytes);
  CHECK_FALSE(bytes_from_hex("0"));
  CHECK_FALSE(bytes_from_hex("0g"));
  CHECK_FALSE(bytes_from_hex("-1"));
}

TEST_CASE("a mistyped name finds its neighbour within two slips") {
  const std::vector<std::string> names = {"distillation", "pruning", "pipeline", "rl", "automl"};
  CHECK(nearest("distilation", names).value() == "distillation");
  CHECK(nearest("purning", names).value() == "pruning");  // a swap counts once
  CHECK(nearest("prunign", names).value() == "pruning");
  CHECK(nearest("xruninx", names).value() == "pruning");  // two substitutions
  CHECK_FALSE(nearest("xruxinx", names));                 // three
  CHECK_FALSE(nearest("benchmark", names));
  CHECK_FALSE(nearest("pdf", std::vector<std::string>{"md"}));  // two slips of three letters
  CHECK_FALSE(nearest("x", {}));
  const std::vector<std::string> tie = {"ab", "ac"};
  CHECK(nearest("ad", tie).value() == "ab");  // ties: the first
}

TEST_CASE("untrusted text becomes one safe line") {
  CHECK(one_line("a\nb\x1b[31m") == "a b\xEF\xBF\xBD[31m");
  CHECK(one_line("\xff\xc3\xa9") == "\xEF\xBF\xBD\xC3\xA9");
  CHECK(one_line("\xC3\xA9\xC3\xA9", 3) == "\xC3\xA9");  // never cut inside a character
  CHECK(one_line(std::string("\0", 1)) == "\xEF\xBF\xBD");
  CHECK(one_line("\xC2\x9B\x33\x31m") == "\xEF\xBF\xBD\x33\x31m");      // U+009B begins a color code in 8 bits
  CHECK(one_line("user\xE2\x80\xAEtxt.exe") == "user[U+202E]txt.exe");  // the rest would be read backwards
}

TEST_CASE("a control character is found wherever it stands, and nothing else is one") {
  const auto bad = GENERATE(as<std::string>{}, "\x1b", "\n", "\t", "\x7f", "\xC2\x80", "\xC2\x9F");
  CHECK(has_control(bad + "name"));
  CHECK(has_control("n\xC3\xA9" + bad));
  CHECK_FALSE(has_control("n\xC3\xA9 \xC2\xA0\xE6\x97\xA5"));  // U+00E9, U+00A0, U+65E5
  CHECK_FALSE(has_control(""));
}

TEST_CASE("UTF-8 is distinguished from bytes that only resemble it") {
  const auto bad = GENERATE(as<std::string>{}, "\x80", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82",
                            "\xF8\x88\x80\x80\x80");
  CHECK(invalid_utf8("ok" + bad) == 2);
  CHECK(invalid_utf8("\xE2\x82\xAC \xF0\x9F\x98\x80 \xED\x9F\xBF") == std::string::npos);
}

TEST_CASE("joined puts separators between items only") {
  const std::vector<std::string> items = {"a", "b", "c"};
  CHECK(joined(items) == "a, b, c");
  CHECK(joined({}) == "");
}

}  // namespace retrial::tests::text_tests
