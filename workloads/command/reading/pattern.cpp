// The only file that includes RE2. std::regex recurses once per character and overflows the stack on a line of 100,000.
#include <re2/re2.h>

#include "workloads/command/reading/reading.hpp"

namespace retrial::workloads::command::inline reading {

namespace {

RE2::Options quiet() {
  RE2::Options options;
  options.set_log_errors(false);
  return options;
}

/// ^ and $ match at lines, because output is read line by line.
std::string by_lines(const std::string& pattern) {
  return "(?m)" + pattern;
}

}  // namespace

std::string pattern_problem(const std::string& pattern) {
  const RE2 compiled(by_lines(pattern), quiet());
  if (!compiled.ok()) return "bad pattern \"" + pattern + "\": " + compiled.error();
  const int captures = compiled.NumberOfCapturingGroups();
  if (captures == 1) return "";
  return "pattern \"" + pattern + "\" has " + std::to_string(captures) +
         " captures but needs exactly one: (...) around the number, (?:...) around anything else";
}

std::string replaced(std::string text, const std::string& pattern, const std::string& with) {
  RE2::GlobalReplace(&text, RE2(pattern, quiet()), with);
  return text;
}

std::vector<Match> matches_of_pattern(std::string_view output, const std::string& pattern) {
  const RE2 compiled(by_lines(pattern), quiet());
  const re2::StringPiece text(output.data(), output.size());
  re2::StringPiece groups[2];
  std::vector<Match> found;
  for (std::size_t from = 0;
       from <= text.size() && compiled.Match(text, from, text.size(), RE2::UNANCHORED, groups, 2);) {
    const auto begin = static_cast<std::size_t>(groups[0].data() - text.data()), end = begin + groups[0].size();
    const std::string_view captured(groups[1].data(), groups[1].size());
    const auto place = groups[1].data() == nullptr ? begin : static_cast<std::size_t>(captured.data() - output.data());
    found.push_back({.at = place, .text = captured, .value = whole_value(captured)});
    from = groups[0].empty() ? end + 1 : end;
  }
  return found;
}

}  // namespace retrial::workloads::command::inline reading
