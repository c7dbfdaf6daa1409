#include "workloads/data/files/rational.hpp"

#include <cmath>

#include "results/text/text.hpp"

namespace retrial::data::inline files {
namespace {

__extension__ typedef __int128 Wide;

constexpr int max_digits = 18;

struct Decimal {
  std::int64_t digits = 0;
  int places = 0;  ///< after the decimal point
};

std::optional<Decimal> parse_digits(std::string_view text) {
  Decimal read;
  int significant = 0;
  bool point = false, any = false;
  for (const char c : text) {
    if (c == '.') {
      if (point) return std::nullopt;
      point = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    any = true;
    significant += read.digits > 0 || c != '0' ? 1 : 0;
    if (significant > max_digits) return std::nullopt;
    read.digits = read.digits * 10 + (c - '0');
    read.places += point ? 1 : 0;
  }
  return any ? std::optional(read) : std::nullopt;
}

std::optional<std::int64_t> power_of_ten(int exponent) {
  if (exponent < 0 || exponent > max_digits) return std::nullopt;
  std::int64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

std::optional<Rational> parse_decimal(std::string_view text) {
  std::int64_t exponent = 0;
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    const auto read = results::parse_int(text.substr(e + 1));
    if (!read || *read > 0 || *read < -max_digits) return std::nullopt;
    exponent = *read;
    text = text.substr(0, e);
  }
  const auto mantissa = parse_digits(text);
  if (!mantissa) return std::nullopt;
  const auto denominator = power_of_ten(mantissa->places - static_cast<int>(exponent));
  if (!denominator) return std::nullopt;
  return Rational{mantissa->digits, *denominator};
}

std::optional<Rational> parse_fraction(std::string_view above, std::string_view below) {
  const auto numerator = parse_digits(above), denominator = parse_digits(below);
  if (!numerator || !denominator || numerator->places + denominator->places > 0 || denominator->digits == 0)
    return std::nullopt;
  return Rational{numerator->digits, denominator->digits};
}

}  // namespace

std::int64_t Rational::floor_of(std::int64_t n) const {
  return static_cast<std::int64_t>(static_cast<Wide>(numerator) * n / denominator);
}

std::optional<Rational> parse_rational(std::string_view text) {
  const auto bar = text.find('/');
  return bar == std::string_view::npos ? parse_decimal(text)
                                       : parse_fraction(text.substr(0, bar), text.substr(bar + 1));
}

std::int64_t floor_of_share(double share, std::int64_t n) {
  const auto exact = parse_rational(results::text_of(share));
  // A longer share was computed, not typed: its double is meant.
  return exact ? exact->floor_of(n) : static_cast<std::int64_t>(std::floor(share * static_cast<double>(n)));
}

}  // namespace retrial::data::inline files
