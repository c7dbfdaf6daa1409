#pragma once

#include <cstddef>
#include <string>

namespace retrial::harness::inline text {

enum class Colour { automatic, always, never };

/// Sets the choice of --color; automatic until then. Called once by main, before any command runs.
void set_colour(Colour choice);

/// True when standard output may carry color: --color, then NO_COLOR and TERM=dumb, then CLICOLOR_FORCE or
/// FORCE_COLOR, then whether it is a terminal.
[[nodiscard]] bool colour_on_output();

/// Columns of the terminal: COLUMNS, else the terminal's own width, else 100. Between 40 and 200.
[[nodiscard]] std::size_t terminal_width();

/// `text` with emphasis where color is on; unchanged otherwise. Colour alone never carries meaning.
[[nodiscard]] std::string bold(const std::string& text);
[[nodiscard]] std::string green(const std::string& text);
[[nodiscard]] std::string red(const std::string& text);
[[nodiscard]] std::string yellow(const std::string& text);

}  // namespace retrial::harness::inline text
