#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The size of labels. The reader's font is unknown, so widths are those of a wide font (DejaVu Sans) at 13 pixels.
namespace retrial::report::inline drawing {

constexpr double font_size = 13;

[[nodiscard]] double label_width(std::string_view text);

/// The text, or its two ends around an ellipsis, because names of variants often differ only at their ends.
[[nodiscard]] std::string fitted(std::string_view text, double width);

/// Every text fitted. Where some would then be alike, what all begin and end with is left out first.
[[nodiscard]] std::vector<std::string> fitted_apart(std::vector<std::string> labels, double width);

/// Broken at blanks into lines of at most `width`; text longer than two lines becomes one fitted() line.
[[nodiscard]] std::vector<std::string> label_lines(std::string_view text, double width);

}  // namespace retrial::report::inline drawing
