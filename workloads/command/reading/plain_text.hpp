#pragma once

#include <string>
#include <string_view>

namespace retrial::workloads::command::inline reading {

/// What a terminal would show as text: without the escape sequences that set colors, titles and the cursor (ECMA-48).
[[nodiscard]] std::string without_escapes(std::string_view text);

/// Every line as it stood at its end: a progress bar writes a line anew after each carriage return, and how often
/// depends on the clock. Line breaks stay where they are.
[[nodiscard]] std::string settled(std::string_view text);

}  // namespace retrial::workloads::command::inline reading
