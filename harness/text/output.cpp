#include "harness/text/output.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <iostream>

#include "harness/text/section_text.hpp"
#include "results/text/error.hpp"
#include "results/text/file_system.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline text {
namespace {

std::string two_digits(std::int64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

}  // namespace

void print_json(const Json& document) {
  std::cout << results::printed(document);
}

void print_part(const report::Part& part, bool json) {
  if (json)
    print_json(part.data);
  else if (part.section)
    std::cout << section_text(*part.section);
}

void write_output(const std::string& file, const std::string& bytes) {
  if (results::write_durably(file, bytes)) return;
  throw Error({.exit = Exit::measurement,
               .code = "output.unwritable",
               .where = results::one_line(file, 200),
               .problem = "cannot be written",
               .help = "check that the folder exists and has free space"});
}

void note(const std::string& text) {
  std::cerr << "retrial: note: " << text << "\n";
}
void warn(const std::string& text) {
  std::cerr << "retrial: warning: " << text << "\n";
}

std::string fixed_text(double value, int decimals) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
  return {buffer.data(), end.ptr};
}

std::string duration_text(double seconds) {
  if (seconds < 0.0005) return "0 ms";
  if (seconds < 1) return fixed_text(seconds * 1000, 0) + " ms";
  if (seconds < 10) return fixed_text(seconds, 1) + " s";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + two_digits(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + two_digits(whole % 3600 / 60) + " min";
}

std::string bytes_text(double bytes) {
  static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fixed_text(bytes, unit == 0 || bytes >= 100 ? 0 : 1) + " " + units[unit];
}

std::string utc_text(std::int64_t ns) {
  using namespace std::chrono;
  const sys_seconds time{floor<seconds>(nanoseconds(ns))};
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  return std::to_string(int(date.year())) + "-" + two_digits(unsigned(date.month())) + "-" +
         two_digits(unsigned(date.day())) + " " + two_digits(clock.hours().count()) + ":" +
         two_digits(clock.minutes().count()) + ":" + two_digits(clock.seconds().count()) + " UTC";
}

std::string shell_word(const std::string& text) {
  static constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace retrial::harness::inline text
