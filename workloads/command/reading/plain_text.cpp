#include "workloads/command/reading/plain_text.hpp"

#include <algorithm>

namespace retrial::workloads::command::inline reading {

namespace {

constexpr char escape = '\x1b', bell = '\x07';

bool between(char c, char low, char high) {
  return c >= low && c <= high;
}

/// End of "ESC [ parameters letter".
std::size_t end_of_control(std::string_view text, std::size_t at) {
  while (at < text.size() && between(text[at], ' ', '?')) ++at;
  return at < text.size() && between(text[at], '@', '~') ? at + 1 : at;
}

/// End of "ESC ] text BEL" or "ESC ] text ESC \"; a sequence that does not end on its line ends where it begins.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (auto i = at; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == bell) return i + 1;
    if (text[i] == escape && text.substr(i + 1).starts_with('\\')) return i + 2;
  }
  return at;
}

std::size_t end_of_escape(std::string_view text, std::size_t at) {
  if (at + 1 == text.size()) return at + 1;
  const char kind = text[at + 1];
  if (kind == '[') return end_of_control(text, at + 2);
  if (kind == ']' || kind == 'P' || kind == '^' || kind == '_') return end_of_string(text, at + 2);
  auto end = at + 1;
  while (end < text.size() && between(text[end], ' ', '/')) ++end;  // ESC ( B selects a character set
  return end < text.size() && between(text[end], '0', '~') ? end + 1 : end;
}

}  // namespace

std::string without_escapes(std::string_view text) {
  std::string made;
  made.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto next = std::min(text.find(escape, at), text.size());
    made += text.substr(at, next - at);
    at = next == text.size() ? next : end_of_escape(text, next);
  }
  return made;
}

std::string settled(std::string_view text) {
  std::string made;
  made.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    auto line = text.substr(at, end - at);
    while (line.ends_with('\r')) line.remove_suffix(1);
    const auto start = line.rfind('\r');
    made += start == line.npos ? line : line.substr(start + 1);
    if (end < text.size()) made += '\n';
    at = end + 1;
  }
  return made;
}

}  // namespace retrial::workloads::command::inline reading
