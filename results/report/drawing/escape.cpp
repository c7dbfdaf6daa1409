#include "results/report/drawing/escape.hpp"

#include <algorithm>

namespace retrial::report::inline drawing {
namespace {

std::string_view html_entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

/// A link that GitHub makes of bare text: "http://x", "www.x".
bool starts_link(std::string_view text, std::size_t at) {
  if (text[at] == ':') return text.substr(at, 3) == "://";
  if (text[at] != '.' || at < 3) return false;
  const std::string_view before = text.substr(at - 3, 3);
  return std::all_of(before.begin(), before.end(), [](char c) { return c == 'w' || c == 'W'; });
}

/// Whether text[at] would make its line a list, an underlined heading or a rule: "- x", "12. x", "---".
bool starts_block(std::string_view text, std::size_t at) {
  const char next = at + 1 < text.size() ? text[at + 1] : ' ';
  const bool blank = next == ' ' || next == '\t';
  if (at == 0 && (text[0] == '-' || text[0] == '+' || text[0] == '=')) return blank || next == text[0];
  return text[at] == '.' && blank && text.find_first_not_of("0123456789") == at;
}

}  // namespace

std::string esc_html(std::string_view text, std::size_t limit, Lines lines) {
  std::string out;
  for (const char c : cleaned(text, limit, lines)) {
    const auto entity = html_entity(c);
    if (entity.empty())
      out += c;
    else
      out += entity;
  }
  return out;
}

std::string esc_markdown(std::string_view text, std::size_t limit) {
  static constexpr std::string_view special = "\\|*_[]()#!<>~`&$";
  static constexpr std::string_view no_mention = "@\xE2\x80\x8B";  // zero width space
  const std::string clean = cleaned(text, limit);
  std::string out;
  for (std::size_t at = 0; at < clean.size(); ++at) {
    const char c = clean[at];
    if (c == '@') {
      out += no_mention;
      continue;
    }
    if (at == 0 && (c == ' ' || c == '\t')) {
      out += c == ' ' ? "&#32;" : "&#9;";
      continue;
    }
    const bool marks = special.find(c) != std::string_view::npos;
    if (marks || starts_link(clean, at) || starts_block(clean, at)) out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_fence(std::string_view text) {
  std::size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

std::string css_string(std::string_view text, std::size_t limit) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : cleaned(text, limit)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte >= 0x80 || c == ' ' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (plain)
      out += c;
    else
      out.append({'\\', digits[byte / 16], digits[byte % 16], ' '});
  }
  return out + '"';
}

std::string esc_json_in_html(std::string_view json) {
  std::string out;
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace retrial::report::inline drawing
