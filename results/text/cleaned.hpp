#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace retrial::results::inline text {

constexpr std::size_t longest_in_table = 1000;  ///< characters

enum class Lines { joined, kept };  ///< LF becomes a blank, or is kept

/// Foreign text that no terminal, table or page obeys, the first step of every format: invalid UTF-8 and control
/// characters become U+FFFD (TAB is kept), characters that change the direction of writing become visible
/// ("[U+202E]"), and text longer than `limit` characters ends in an ellipsis.
[[nodiscard]] std::string cleaned(std::string_view text, std::size_t limit = longest_in_table,
                                  Lines lines = Lines::joined);

/// Whether a control character, LF and TAB among them, is in the text: no name has one.
[[nodiscard]] bool has_control(std::string_view text);

}  // namespace retrial::results::inline text
