#pragma once

#include <string>
#include <string_view>
#include <vector>

/// How much room a label takes. The reader's font is unknown, so widths are those of a wide one (DejaVu Sans) at 13
/// pixels.
namespace retrial::report {

constexpr double font_size = 13;

[[nodiscard]] double label_width(std::string_view text);

/// The text, or its two ends around an ellipsis: names of variants often differ at their ends only.
[[nodiscard]] std::string fitted(std::string_view text, double width);

/// Broken at blanks into lines of at most `width`; what does not fit into two lines becomes one that is fitted().
[[nodiscard]] std::vector<std::string> label_lines(std::string_view text, double width);

}  // namespace retrial::report
