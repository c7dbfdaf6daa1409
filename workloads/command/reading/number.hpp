#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace retrial::workloads::command::inline reading {

/// ASCII letters and the underscore, in any locale.
[[nodiscard]] bool is_letter(char c);

/// A number as programs print it, and how many characters of the text it took.
struct PrintedNumber {
  double value = 0;
  std::size_t length = 0;
};

/// The number that `text` begins with: sign, digits, fraction, exponent ("1.5e-05" whole, never 1.5), then perhaps a
/// percent sign or the s of seconds, which is skipped: 93.1% is 93.1. nan, inf and infinity in any case are numbers (a
/// diverged run).
/// Nothing if other characters follow directly, because half of a number would be a wrong answer: 1.5ms, 0x1F, 1_000,
/// 1,234 (comma and digit), 0,93, 12:30, 3/10, 1.2.3, 2021-04-03. A full stop or comma before a blank may follow, and
/// so may the two signs of an uncertainty, U+00B1 and +/-. Outside the range of a double: nothing.
[[nodiscard]] std::optional<PrintedNumber> number_at(std::string_view text);

/// Whether `text` begins with a number that no double can hold: 1e999, 1e-999, 400 digits.
[[nodiscard]] bool out_of_range_at(std::string_view text);

/// The same, but the whole text must be the number (blanks around it are allowed).
[[nodiscard]] std::optional<double> whole_number(std::string_view text);

}  // namespace retrial::workloads::command::inline reading
