#pragma once

#include <cstddef>
#include <string_view>

namespace retrial::workloads::command::inline reading {

/// Text found where a number should be.
struct PrintedValue {
  enum class Kind {
    number,
    out_of_range,  ///< a number that no double can hold
    unclear,       ///< several numbers, or half of something else: 1,234 1.5ms, 3 of 5
    words          ///< no number
  };
  Kind kind = Kind::words;
  double value = 0;
  std::size_t length = 0;  ///< how many characters it took
};

/// The value that `text` begins with, up to the end of its line: a number (number_at), also as libraries wrap it:
/// [0.91], tensor(0.91, device='cuda:0'), np.float64(0.91), Array([0.91], dtype=float32).
[[nodiscard]] PrintedValue value_at(std::string_view text);

/// The same, but the whole text must be the value (blanks around it are allowed); `words` for any other text.
[[nodiscard]] PrintedValue whole_value(std::string_view text);

}  // namespace retrial::workloads::command::inline reading
