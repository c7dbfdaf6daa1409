#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "results/text/cleaned.hpp"

/// Foreign text (names, messages, keys) made harmless for its output format. Each function's output decodes to
/// cleaned(text).
namespace retrial::report::inline drawing {

using results::longest_in_table;
constexpr std::size_t longest_in_figure = 80;

using results::cleaned, results::Lines;

/// Text and double-quoted attributes of HTML, SVG and XML.
[[nodiscard]] std::string esc_html(std::string_view text, std::size_t limit = longest_in_table,
                                   Lines lines = Lines::joined);

/// Text of Markdown (CommonMark and GitHub's): no markup, no HTML, no link, no mention, no formula.
[[nodiscard]] std::string esc_markdown(std::string_view text, std::size_t limit = longest_in_table);

/// A fence of back-quotes longer than any run of them in `text`.
[[nodiscard]] std::string markdown_fence(std::string_view text);

/// A string of CSS with its quotes, safe inside a style element: all but letters, digits and blanks of ASCII is
/// escaped.
[[nodiscard]] std::string css_string(std::string_view text, std::size_t limit = longest_in_figure);

/// JSON inside a script element: "<" as \u003c, so that nothing in it can end the element.
[[nodiscard]] std::string esc_json_in_html(std::string_view json);

}  // namespace retrial::report::inline drawing
