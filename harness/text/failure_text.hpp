#pragma once

#include <string>
#include <vector>

namespace retrial::harness::inline text {

/// The stored message of a failed trial, taken apart: the reason is last in a program's output, and first for a
/// reader.
struct FailureText {
  /// The line that gives the reason: the exception of a Python traceback, else the last line of a program that ended
  /// with an error; empty if no line does.
  std::string cause;
  std::string how;                 ///< "command.exit: `python3 train.py` exited with 1"
  std::vector<std::string> lines;  ///< the last lines of output, in order
};

[[nodiscard]] FailureText failure_text(const std::string& message);

/// "ValueError: lr < 0 | command.exit: `python3 train.py` exited with 1": safe to print, cut to `limit` bytes.
[[nodiscard]] std::string failure_line(const std::string& message, std::size_t limit);

/// The reason, how the trial ended, and the last lines of its output, indented, for standard error.
[[nodiscard]] std::string failure_notice(const std::string& trial, const std::string& message);

}  // namespace retrial::harness::inline text
