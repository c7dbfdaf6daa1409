#include "harness/study/checks/name_problem.hpp"

#include <algorithm>

#include "results/text/cleaned.hpp"
#include "results/text/utf8.hpp"

namespace retrial::harness::inline study::inline checks {
namespace {

/// The number of code points: bytes that are not continuation bytes.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string name_problem(std::string_view name, std::size_t longest, std::string_view forbidden) {
  if (name.empty()) return "a name must not be empty";
  if (results::invalid_utf8(name) != std::string_view::npos) return "not UTF-8";
  if (results::has_control(name)) return "contains a control character";
  if (characters(name) > longest) return "longer than " + std::to_string(longest) + " characters";
  if (name.front() == '-') return "begins like an option";
  if (const auto at = name.find_first_of(forbidden); at != std::string_view::npos)
    return "contains '" + std::string(1, name[at]) + "'";
  return {};
}

}  // namespace retrial::harness::inline study::inline checks
