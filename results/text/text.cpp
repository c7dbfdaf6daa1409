#include "results/text/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "results/text/cleaned.hpp"
#include "results/text/utf8.hpp"

namespace retrial::results::inline text {
namespace {

template <typename N>
std::optional<N> parse_integer(std::string_view text, int base = 10) {
  N value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string shortest(double value) {
  std::array<char, 32> buffer;  // the longest shortest form has 24 characters
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

}  // namespace

std::string text_of(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = shortest(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

double rounded10(double value) {
  if (!std::isfinite(value)) return value;
  std::array<char, 32> buffer;
  char* const last = buffer.data() + buffer.size();
  const auto end = std::to_chars(buffer.data(), last, value, std::chars_format::scientific, 9).ptr;
  return parse_double({buffer.data(), end}).value_or(value);  // no value only if rounding up overflows
}

std::optional<double> parse_double(std::string_view text) {
  double value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  return parse_integer<std::int64_t>(text);
}

std::optional<std::uint64_t> parse_u64(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return parse_integer<std::uint64_t>(text.substr(2), 16);
  return parse_integer<std::uint64_t>(text);
}

std::string hex16(std::uint64_t value) {
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) out[i] = "0123456789abcdef"[value & 15];
  return out;
}

std::optional<std::uint64_t> parse_hex16(std::string_view text) {
  if (text.size() != 16 || text.find_first_not_of("0123456789abcdef") != std::string_view::npos) return std::nullopt;
  return parse_integer<std::uint64_t>(text, 16);
}

std::string hex_of_bits(double value) {
  return hex16(std::bit_cast<std::uint64_t>(value));
}

std::optional<double> double_from_hex(std::string_view text) {
  const auto bits = parse_hex16(text);
  return bits ? std::optional(std::bit_cast<double>(*bits)) : std::nullopt;
}

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string out(bytes.size() * 2, '0');
  char* at = out.data();
  for (const std::uint8_t byte : bytes) {
    *at++ = "0123456789abcdef"[byte >> 4];
    *at++ = "0123456789abcdef"[byte & 15];
  }
  return out;
}

std::optional<std::vector<std::uint8_t>> bytes_from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::vector<std::uint8_t> out;
  out.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto byte = parse_integer<std::uint8_t>(text.substr(i, 2), 16);
    if (!byte) return std::nullopt;
    out.push_back(*byte);
  }
  return out;
}

std::string text_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<double>(&value)) return text_of(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return text_of(*flag);
  return text_of(std::get<std::int64_t>(value));
}

std::string joined(std::span<const std::string> items, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += separator;
    out += items[i];
  }
  return out;
}

std::string one_line(std::string_view text, std::size_t limit) {
  const std::string kept = storable_text(text, limit);
  return cleaned(kept, kept.size());
}

namespace {

constexpr std::size_t max_distance = 2;  // beyond two slips a suggestion is a guess

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbors cost one each
// (Damerau 1964; Levenshtein 1966).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = max_distance + 1;
  for (const std::string& candidate : candidates) {
    const auto [shorter, longer] = std::minmax({name.size(), candidate.size()});
    if (longer - shorter > max_distance) continue;
    const std::size_t distance = edit_distance(name, candidate);
    // Two slips in three letters leave nothing of the name: "pdf" is not a mistyped "md".
    if (distance < best_distance && 2 * distance <= longer) best_distance = distance, best = candidate;
  }
  return best;
}

}  // namespace retrial::results::inline text
