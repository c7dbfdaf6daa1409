#include "results/report/column_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "results/report/drawing/numbers.hpp"

namespace retrial::report {
namespace {

constexpr int digits = 6;

/// Decimals that give the largest value six significant digits; negative: it has more digits before the point.
int decimals_for(std::span<const std::optional<double>> values) {
  double largest = 0;
  for (const auto& value : values)
    if (value && std::isfinite(*value)) largest = std::max(largest, std::fabs(*value));
  return largest > 0 ? digits - 1 - static_cast<int>(std::floor(std::log10(largest))) : 0;
}

std::string fixed_text(double value, int decimals) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
  return {buffer.data(), end.ptr};
}

/// Trailing zeros that every value has: accuracies of 100 items have two decimals.
int needed(std::span<const std::optional<double>> values, int decimals) {
  int out = 0;
  for (const auto& value : values) {
    if (!value || !std::isfinite(*value)) continue;
    const std::string text = fixed_text(*value, decimals);
    const auto last = text.find_last_not_of('0');
    out = std::max(out, static_cast<int>(last) - static_cast<int>(text.find('.')));
  }
  return std::clamp(out, 0, decimals);
}

/// The characters from the decimal point on, of a cell that is a number; UTF-8 counts by code points.
std::optional<Behind> tail_of(std::string_view cell) {
  constexpr std::string_view number = "0123456789.eE+-";
  const auto last = cell.find_last_of("0123456789");
  if (last == std::string_view::npos) return std::nullopt;
  const auto before = cell.find_last_not_of(number, last);
  const auto begin = before == std::string_view::npos ? 0 : before + 1;
  const auto prefix = cell.substr(0, begin);
  const bool interval = prefix.starts_with("[") && prefix.ends_with(", ");
  if (!interval && prefix.find_first_not_of("<>~ ") != std::string_view::npos) return std::nullopt;
  const auto end = std::min(cell.find_first_of(".eE", begin), last + 1);
  const auto tail = cell.substr(end);
  const auto characters = std::ranges::count_if(tail, [](char c) { return (c & 0xC0) != 0x80; });
  const bool point = tail.starts_with(".");
  return Behind{.digits = static_cast<std::size_t>(characters) - (point ? 1 : 0), .point = point};
}

}  // namespace

std::vector<Behind> behind_numbers(std::span<const std::string> cells) {
  std::vector<std::optional<Behind>> tails;
  Behind longest;
  for (const auto& cell : cells) {
    tails.push_back(tail_of(cell));
    if (!tails.back()) continue;
    longest.digits = std::max(longest.digits, tails.back()->digits);
    longest.point = longest.point || tails.back()->point;
  }
  std::vector<Behind> out;
  for (const auto& tail : tails)
    out.push_back(tail ? Behind{.digits = longest.digits - tail->digits, .point = longest.point && !tail->point}
                       : Behind());
  return out;
}

std::vector<std::string> column_text(std::span<const std::optional<double>> values) {
  constexpr int most = 12;  // decimals; smaller values are written with an exponent
  const int fine = decimals_for(values);
  const bool alike = fine >= 0 && fine <= most;
  const int decimals = alike && fine > 0 ? needed(values, fine) : 0;
  const double visible = std::pow(10.0, 1 - decimals);  // two digits are left
  std::vector<std::string> out;
  for (const auto& value : values) {
    const bool own = value && (!alike || !std::isfinite(*value) || (*value != 0 && std::fabs(*value) < visible));
    out.push_back(!value ? "" : own ? short_text(*value, digits) : fixed_text(*value, decimals));
  }
  return out;
}

}  // namespace retrial::report
