#include "harness/text/colour.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "results/text/text.hpp"

namespace retrial::harness::inline text {
namespace {

constexpr std::int64_t min_width = 40, max_width = 200, width_without_terminal = 100;

Colour chosen = Colour::automatic;

bool set_and_not_empty(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

std::string painted(const std::string& text, const char* code) {
  return colour_on_output() ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
}

}  // namespace

void set_colour(Colour choice) {
  chosen = choice;
}

bool colour_on_output() {
  if (chosen != Colour::automatic) return chosen == Colour::always;
  const char* term = std::getenv("TERM");
  if (set_and_not_empty("NO_COLOR") || (term != nullptr && std::string_view(term) == "dumb")) return false;
  if (set_and_not_empty("CLICOLOR_FORCE") || set_and_not_empty("FORCE_COLOR")) return true;
  return isatty(STDOUT_FILENO) == 1;
}

std::size_t terminal_width() {
  std::int64_t columns = width_without_terminal;
  winsize window{};
  const char* given = std::getenv("COLUMNS");
  const auto number = given == nullptr ? std::nullopt : results::parse_int(given);
  if (number) {
    columns = *number;
  } else if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) {
    columns = window.ws_col;
  }
  return static_cast<std::size_t>(std::clamp(columns, min_width, max_width));
}

std::string bold(const std::string& text) {
  return painted(text, "1");
}
std::string green(const std::string& text) {
  return painted(text, "32");
}
std::string red(const std::string& text) {
  return painted(text, "31");
}
std::string yellow(const std::string& text) {
  return painted(text, "33");
}

}  // namespace retrial::harness::inline text
