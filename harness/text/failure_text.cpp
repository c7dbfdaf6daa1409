#include "harness/text/failure_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "results/report/drawing/escape.hpp"

namespace retrial::harness::inline text {
namespace {

/// Text before the output in a message of a worker and of a program.
constexpr std::array<std::string_view, 2> before_output{"; last lines:\n", "\nlast output:\n"};

std::vector<std::string> output_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const auto end = std::min(text.find('\n', from), text.size());
    auto line = text.substr(from, end - from);
    if (line.starts_with("  ")) line.remove_prefix(2);  // the indent of the message, not of the program
    if (line.find_first_not_of(' ') != line.npos && line != "(no output)") lines.emplace_back(line);
    from = end + 1;
  }
  return lines;
}

/// "ValueError: text", "torch.cuda.OutOfMemoryError", "KeyboardInterrupt": a dotted name at the beginning of the line,
/// whose last part ends as the names of exceptions do.
bool names_exception(std::string_view line) {
  constexpr std::array<std::string_view, 5> endings{"Error", "Exception", "Interrupt", "Exit", "Failure"};
  const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  const auto end = static_cast<std::size_t>(std::ranges::find_if_not(line, is_name) - line.begin());
  if (end < line.size() && line[end] != ':') return false;
  const auto name = line.substr(0, end);
  return std::ranges::any_of(endings, [&](auto ending) { return name.ends_with(ending); });
}

/// A program that ended well and printed no metric has no line that says why.
bool output_gives_reason(std::string_view how) {
  return !how.starts_with("command.no_");
}

std::string cause_in(const std::vector<std::string>& lines, std::string_view how) {
  const auto exception = std::find_if(lines.rbegin(), lines.rend(), names_exception);
  if (exception != lines.rend()) return *exception;
  return lines.empty() || !output_gives_reason(how) ? "" : lines.back();
}

}  // namespace

FailureText failure_text(const std::string& message) {
  FailureText out{.cause = {}, .how = message, .lines = {}};
  for (const auto mark : before_output)
    if (const auto at = message.find(mark); at != std::string::npos) {
      out.how = message.substr(0, at);
      out.lines = output_lines(std::string_view(message).substr(at + mark.size()));
      break;
    }
  out.cause = cause_in(out.lines, out.how);
  return out;
}

std::string failure_line(const std::string& message, std::size_t limit) {
  const auto failure = failure_text(message);
  return report::cleaned(failure.cause.empty() ? failure.how : failure.cause + " | " + failure.how, limit);
}

std::string failure_notice(const std::string& trial, const std::string& message) {
  const auto failure = failure_text(message);
  const bool reason = !failure.cause.empty();
  std::string out = trial + " failed: " + (reason ? failure.cause : failure.how);
  if (reason) out += "\n    " + failure.how;
  if (failure.lines.size() > 1 || (failure.lines.size() == 1 && !reason)) {
    out += "\n    last lines of its output:";
    for (const auto& line : failure.lines) out += "\n      " + line;
  }
  return report::cleaned(out, std::string::npos, report::Lines::kept);
}

}  // namespace retrial::harness::inline text
