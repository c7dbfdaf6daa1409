#pragma once

#include <string>
#include <string_view>

namespace retrial::workloads::command::inline reading {

/// Text as a terminal shows it: without the escape sequences that set colors, titles and the cursor (ECMA-48).
[[nodiscard]] std::string without_escapes(std::string_view text);

/// Every line in its last state: a progress bar rewrites a line after each carriage return, and how often
/// depends on the clock. Line breaks stay where they are.
[[nodiscard]] std::string settled(std::string_view text);

}  // namespace retrial::workloads::command::inline reading
