#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace retrial::results::inline text {

/// U+FFFD, which stands for what cannot be shown.
constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

/// Length of the well-formed UTF-8 sequence that starts at `at` (Unicode 15, table 3-7: no surrogates, no overlong
/// forms), or 0 if it is malformed. `at` must be inside the text.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at);

/// Position of the first byte that is not part of well-formed UTF-8, or npos.
[[nodiscard]] std::size_t invalid_utf8(std::string_view text);

/// Well-formed text of at most `limit` bytes: bad bytes and U+0000 become U+FFFD, cut between characters.
[[nodiscard]] std::string storable_text(std::string_view text, std::size_t limit);

}  // namespace retrial::results::inline text
