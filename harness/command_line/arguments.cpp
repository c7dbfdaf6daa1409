#include "harness/command_line/arguments.hpp"

#include <algorithm>

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline command_line {
namespace {

[[noreturn]] void refuse_value(const std::string& name, const std::string& given, const std::string& problem,
                               const std::string& allowed) {
  throw Error({.code = "usage.option_value",
               .field = "--" + name,
               .value = results::one_line(given, 100),
               .problem = problem,
               .allowed = allowed});
}

std::string range_text(const workloads::Range& range) {
  return results::text_of(range.low) + (range.low_open ? " < " : " <= ") + "value" +
         (range.high_open ? " < " : " <= ") + results::text_of(range.high);
}

}  // namespace

bool inside(double value, const workloads::Range& range) {
  return (range.low_open ? value > range.low : value >= range.low) &&
         (range.high_open ? value < range.high : value <= range.high);
}

std::vector<std::string> comma_parts(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const auto comma = std::min(text.find(',', from), text.size());
    parts.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return parts;
}

std::string option_for(std::string key) {
  std::ranges::replace(key, '_', '-');
  return key;
}

std::optional<std::string> Arguments::value(const std::string& name) const {
  const auto found = options.find(name);
  if (found == options.end() || found->second.empty()) return {};
  return found->second.back();
}

std::vector<std::string> Arguments::values(const std::string& name) const {
  const auto found = options.find(name);
  return found == options.end() ? std::vector<std::string>{} : found->second;
}

std::optional<std::vector<std::string>> Arguments::list(const std::string& name) const {
  const auto text = value(name);
  if (!text) return {};
  auto words = comma_parts(*text);
  if (std::ranges::find(words, "") != words.end()) refuse_value(name, *text, "an empty name in the list", "");
  return words;
}

std::optional<std::int64_t> Arguments::integer(const std::string& name, std::int64_t low, std::int64_t high) const {
  const auto text = value(name);
  if (!text) return {};
  const std::string allowed = "whole numbers from " + std::to_string(low) + " to " + std::to_string(high);
  const auto number = results::parse_int(*text);
  if (!number) refuse_value(name, *text, "not a whole number", allowed);
  if (*number < low || *number > high) refuse_value(name, *text, "out of range", allowed);
  return number;
}

std::optional<double> Arguments::number(const std::string& name, const workloads::Range& allowed) const {
  const auto text = value(name);
  if (!text) return {};
  const auto number = results::parse_double(*text);
  if (!number) refuse_value(name, *text, "not a number", range_text(allowed));
  if (!inside(*number, allowed)) refuse_value(name, *text, "out of range", range_text(allowed));
  return number;
}

std::optional<std::uint64_t> Arguments::u64(const std::string& name) const {
  const auto text = value(name);
  if (!text) return {};
  const auto number = results::parse_u64(*text);
  if (!number)
    refuse_value(name, *text, "not a 64-bit number", "0 to 18446744073709551615, decimal or 0x and hex digits");
  return number;
}

void refuse_options(const Arguments& arguments, const std::vector<std::string>& names, ErrorText how) {
  if (how.code.empty()) how.code = "usage.option_value";
  for (const std::string& name : names) {
    if (!arguments.has(name)) continue;
    how.field = "--" + name;
    throw Error(std::move(how));
  }
}

void refuse_extra(const Arguments& arguments, std::size_t max, const std::string& usage) {
  if (arguments.positional.size() <= max) return;
  throw Error({.code = "usage.extra_argument",
               .field = results::one_line(arguments.positional[max], 100),
               .problem = "unexpected argument",
               .help = "usage: retrial " + usage});
}

void refuse_usage(const std::string& where, const std::string& problem, const std::string& help) {
  throw Error({.code = "usage", .where = where, .problem = problem, .help = help});
}

}  // namespace retrial::harness::inline command_line
