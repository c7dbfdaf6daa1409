#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/text/error.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::harness::inline command_line {

/// A command line after parsing: plain values. Nothing downstream sees argv or the parser.
struct Arguments {
  std::vector<std::string> positional;
  std::map<std::string, std::vector<std::string>> options;  ///< name without dashes; a flag's list is empty

  [[nodiscard]] bool has(const std::string& name) const { return options.contains(name); }
  [[nodiscard]] std::optional<std::string> value(const std::string& name) const;
  /// Every value of a repeated option, in the order given; empty when the option was not given.
  [[nodiscard]] std::vector<std::string> values(const std::string& name) const;
  /// The words of a comma-separated value; nothing when the option was not given. Error{usage} for an empty word.
  [[nodiscard]] std::optional<std::vector<std::string>> list(const std::string& name) const;

  /// Nothing when the option was not given. A text that is not a number, has trailing characters or is outside the
  /// range throws Error{usage} naming "--name", the value and the allowed range.
  [[nodiscard]] std::optional<std::int64_t> integer(const std::string& name, std::int64_t low, std::int64_t high) const;
  [[nodiscard]] std::optional<double> number(const std::string& name, const workloads::Range& allowed) const;
  /// Decimal, or 0x and hex digits; the full range of 64 bits.
  [[nodiscard]] std::optional<std::uint64_t> u64(const std::string& name) const;
};

[[nodiscard]] bool inside(double value, const workloads::Range& range);
/// The parts between commas, empty ones included.
[[nodiscard]] std::vector<std::string> comma_parts(const std::string& text);
/// The option of a key, with '-' for '_': "n-max" for "n_max".
[[nodiscard]] std::string option_for(std::string key);

/// Throws Error{how} naming the first of these options that was given, because it would be silently ignored. The code
/// is usage.option_value unless `how` has another.
void refuse_options(const Arguments& arguments, const std::vector<std::string>& names, ErrorText how);
/// Throws Error{usage} for an argument beyond the first `max`; `usage` is "audit [OPTIONS]".
void refuse_extra(const Arguments& arguments, std::size_t max, const std::string& usage);
/// Throws Error{usage} about this part of the command line.
[[noreturn]] void refuse_usage(const std::string& where, const std::string& problem, const std::string& help);

}  // namespace retrial::harness::inline command_line
