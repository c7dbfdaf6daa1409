#include "harness/text/csv.hpp"

#include <string_view>

namespace retrial::harness::inline text {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos &&
      (text.empty() || (text.front() != ' ' && text.back() != ' ')))
    return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_text_field(const std::string& text) {
  constexpr std::string_view starts = "=+-@\t\r";
  const bool formula = !text.empty() && starts.find(text.front()) != std::string_view::npos;
  return csv_field((formula ? "'" : "") + text);
}

}  // namespace retrial::harness::inline text
