#include "workloads/command/reading/number.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "workloads/interface/trial/split.hpp"

namespace retrial::workloads::command::inline reading {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t digits_from(std::string_view text, std::size_t at) {
  auto end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end;
}

bool is_sign(std::string_view text, std::size_t at) {
  return at < text.size() && (text[at] == '+' || text[at] == '-');
}

/// End of the digits, fraction and exponent at `at`; `at` itself without any.
std::size_t decimal_end(std::string_view text, std::size_t at) {
  auto end = digits_from(text, at);
  if (end < text.size() && text[end] == '.' && digits_from(text, end + 1) > end + 1) end = digits_from(text, end + 1);
  if (end == at) return at;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const auto exponent = end + 1 + (is_sign(text, end + 1) ? 1 : 0);
    if (digits_from(text, exponent) > exponent) end = digits_from(text, exponent);
  }
  return end;
}

std::size_t word_length(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return 0;
  for (std::size_t i = 0; i < word.size(); ++i)
    if ((text[i] | 0x20) != word[i]) return 0;
  return word.size();
}

/// Whether a number can end before `rest`.
bool is_over(std::string_view rest) {
  if (rest.empty()) return true;
  constexpr std::string_view joints = ".,:/-+";
  if (rest.starts_with("\xc2\xb1") || rest.starts_with("+/-")) return true;
  if (is_letter(rest[0]) || is_digit(rest[0]) || (rest[0] & 0x80) != 0) return false;
  return joints.find(rest[0]) == joints.npos || rest.size() == 1 || !is_digit(rest[1]);
}

std::optional<PrintedNumber> non_finite(std::string_view text, std::size_t at, bool negative) {
  const auto rest = text.substr(at);
  const auto nan = word_length(rest, "nan"), infinity = word_length(rest, "infinity"), inf = word_length(rest, "inf");
  const auto length = nan ? nan : infinity ? infinity : inf;
  if (length == 0 || !is_over(rest.substr(length))) return std::nullopt;
  using limits = std::numeric_limits<double>;
  const double value = nan ? limits::quiet_NaN() : limits::infinity();
  return PrintedNumber{negative ? -value : value, at + length};
}

/// A decimal number with its sign and its suffix.
struct Decimal {
  double value = 0;
  std::size_t length = 0;
  bool in_range = true;
};

std::optional<Decimal> decimal_at(std::string_view text) {
  const std::size_t begin = is_sign(text, 0) ? 1 : 0;
  auto end = decimal_end(text, begin);
  if (end == begin) return std::nullopt;
  Decimal made;
  const auto read = std::from_chars(text.data() + begin, text.data() + end, made.value);
  if (read.ptr != text.data() + end) return std::nullopt;
  made.in_range = read.ec == std::errc{};
  if (text[0] == '-') made.value = -made.value;
  if (end < text.size() && (text[end] == '%' || text[end] == 's')) ++end;
  made.length = end;
  return is_over(text.substr(end)) ? std::optional(made) : std::nullopt;
}

}  // namespace

std::optional<PrintedNumber> number_at(std::string_view text) {
  if (const auto decimal = decimal_at(text))
    return decimal->in_range ? std::optional(PrintedNumber{decimal->value, decimal->length}) : std::nullopt;
  return non_finite(text, is_sign(text, 0) ? 1 : 0, text.starts_with('-'));
}

bool out_of_range_at(std::string_view text) {
  const auto decimal = decimal_at(text);
  return decimal && !decimal->in_range;
}

std::optional<double> whole_number(std::string_view text) {
  text = workloads::trimmed(text, " \t\r\n");
  const auto number = number_at(text);
  if (!number || number->length != text.size()) return std::nullopt;
  return number->value;
}

}  // namespace retrial::workloads::command::inline reading
