#include "results/report/drawing/scale.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "results/report/drawing/label_text.hpp"

namespace retrial::report::inline drawing {
namespace {

/// The double nearest to count * 10^power: exact arithmetic, so that no rounding shows in a label.
double decimal(std::int64_t count, int power) {
  const std::string text = std::to_string(count) + "e" + std::to_string(power);
  double out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// The power of ten of the first digit of value > 0.
int exponent_of(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  const std::string text(buffer.data(), end.ptr);
  return std::stoi(text.substr(text.find('e') + 1));
}

/// count * 10^power in plain digits.
std::string plain(std::int64_t count, int power) {
  std::string digits = std::to_string(std::llabs(count));
  if (power >= 0 && count != 0) digits.append(static_cast<std::size_t>(power), '0');
  if (power < 0) {
    const auto decimals = static_cast<std::size_t>(-power);
    if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
    digits.insert(digits.size() - decimals, ".");
  }
  return (count < 0 ? "-" : "") + digits;
}

std::string label_of(std::int64_t count, int power, double greatest) {
  if (greatest >= 1e-4 && greatest < 1e7) return plain(count, power);
  if (count == 0) return "0";
  const int shared = exponent_of(greatest);
  return plain(count, power - shared) + "e" + std::to_string(shared);
}

/// The extent of a label along its axis, in pixels.
double extent(const Tic& tic, LabelSide side) {
  return side == LabelSide::below ? label_width(tic.label) : font_size;
}

/// The ticks whose labels stay within 0 to `room` pixels.
std::vector<Tic> within(const std::vector<Tic>& tics, const Scale& scale, LabelSide side, double room) {
  std::vector<Tic> out;
  for (const auto& tic : tics) {
    const double place = scale.at(tic.at), half = extent(tic, side) / 2;
    if (scale.holds(tic.at) && place >= half && place <= room - half) out.push_back(tic);
  }
  return out;
}

/// Drops ticks whose labels would touch the label before.
std::vector<Tic> legible(const std::vector<Tic>& tics, const Scale& scale, LabelSide side) {
  const double gap = side == LabelSide::below ? font_size : 2;
  std::vector<Tic> out;
  for (const auto& tic : tics) {
    const double needed = out.empty() ? 0 : (extent(tic, side) + extent(out.back(), side)) / 2 + gap;
    if (out.empty() || std::fabs(scale.at(tic.at) - scale.at(out.back().at)) >= needed) out.push_back(tic);
  }
  return out;
}

}  // namespace

double Scale::at(double value) const {
  return from + (value - low) / (high - low) * (to - from);
}

Scale scale_of(const Axis& axis, double from, double to) {
  constexpr double largest = 1e306, least = 1e-290, share = 1e-13;  // differences stay finite, and steps above 0
  const double low = std::clamp(axis.low, -largest, largest), high = std::clamp(axis.high, -largest, largest);
  const double room = std::max(least, share * std::max(std::fabs(low), std::fabs(high)));
  if (high - low >= room) return {.low = low, .high = high, .from = from, .to = to};
  return {.low = low - room, .high = low + room, .from = from, .to = to};
}

Step step_of_at_least(double least) {
  const int power = exponent_of(least);
  for (const std::int64_t digit : {1, 2, 5})
    if (decimal(digit, power) >= least) return {digit, power};
  return {1, power + 1};
}

std::vector<Tic> multiples(const Step& step, double low, double high) {
  const double size = decimal(step.digit, step.power), slack = 1e-9 * size;
  const double greatest = std::max(std::fabs(low), std::fabs(high));
  const auto first = static_cast<std::int64_t>(std::floor(low / size));
  const auto last = static_cast<std::int64_t>(std::ceil(high / size));
  std::vector<Tic> out;
  for (auto i = first; i <= last; ++i) {
    const double at = decimal(i * step.digit, step.power);
    if (at >= low - slack && at <= high + slack)
      out.push_back({.at = std::clamp(at, low, high), .label = label_of(i * step.digit, step.power, greatest)});
  }
  return out;
}

std::vector<Tic> ticks_of(const Axis& axis, const Scale& scale, LabelSide side, double room) {
  if (!axis.tics.empty()) return legible(within(axis.tics, scale, side, room), scale, side);
  const double apart = side == LabelSide::below ? std::max(44.0, scale.length() / 12) : 27;  // pixels
  double least = (scale.high - scale.low) / scale.length() * apart;
  if (axis.whole) least = std::max(least, 1.0);
  for (;;) {
    const Step step = step_of_at_least(least);
    const auto all = within(multiples(step, scale.low, scale.high), scale, side, room);
    const auto kept = legible(all, scale, side);
    if (kept.size() == all.size() || all.size() <= 2) return kept;
    least = 1.01 * decimal(step.digit, step.power);
  }
}

}  // namespace retrial::report::inline drawing
