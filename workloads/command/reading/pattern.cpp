// The only file that includes RE2. std::regex recurses once per character and overflows the stack on a line of 100,000.
#include <re2/re2.h>

#include "results/text/text.hpp"
#include "workloads/command/reading/number.hpp"
#include "workloads/command/reading/reading.hpp"
#include "workloads/interface/trial.hpp"

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

std::optional<double> last_match(std::string_view output, const Read& read) {
  const RE2 compiled(by_lines(read.pattern.value()), quiet());
  const re2::StringPiece text(output.data(), output.size());
  re2::StringPiece groups[2], last;
  bool found = false;
  for (std::size_t from = 0;
       from <= text.size() && compiled.Match(text, from, text.size(), RE2::UNANCHORED, groups, 2);) {
    found = true;
    last = groups[1];
    const auto end = static_cast<std::size_t>(groups[0].data() + groups[0].size() - text.data());
    from = groups[0].empty() ? end + 1 : end;
  }
  if (!found) return std::nullopt;
  const std::string_view captured(last.data(), last.size());
  const auto value = whole_number(captured);
  if (value) return value;
  throw TrialFailure("command.no_metric", "the pattern of \"" + read.name + "\" captured \"" +
                                              results::one_line(captured, 100) + "\", which is not a number");
}

}  // namespace retrial::workloads::command::inline reading
