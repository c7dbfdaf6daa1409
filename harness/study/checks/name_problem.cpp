#include "harness/study/checks/name_problem.hpp"

#include <algorithm>

#include "results/text/utf8.hpp"

namespace retrial::harness::inline study::inline checks {
namespace {

/// C0, DEL and C1: U+0080 to U+009F are C2 80 to C2 9F.
bool has_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7F) return true;
    if (byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) return true;
  }
  return false;
}

/// The number of code points: bytes that are not continuation bytes.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string name_problem(std::string_view name, std::size_t longest, std::string_view forbidden) {
  if (name.empty()) return "a name must not be empty";
  if (results::invalid_utf8(name) != std::string_view::npos) return "not UTF-8";
  if (has_control(name)) return "contains a control character";
  if (characters(name) > longest) return "longer than " + std::to_string(longest) + " characters";
  if (name.front() == '-') return "begins like an option";
  if (const auto at = name.find_first_of(forbidden); at != std::string_view::npos)
    return "contains '" + std::string(1, name[at]) + "'";
  return {};
}

}  // namespace retrial::harness::inline study::inline checks
