#pragma once

#include <functional>

#include "results/text/error.hpp"

namespace retrial::harness::inline text {

/// Form of errors on the terminal.
struct ErrorStyle {
  bool json = false;   ///< one line {"error": {...}} on standard error; standard output stays empty
  bool debug = false;  ///< also the stable code and every field of the error
};

/// Prints "retrial: error: ..." and "help: ..." (or the JSON line) on standard error and returns the exit code.
[[nodiscard]] int report(const ErrorText& error, const ErrorStyle& style);

/// Calls `body`; an exception becomes one error line and an exit code of docs/exit-codes.md. A std::logic_error is a
/// bug of ours, never a user's mistake: it is printed and the process aborts.
[[nodiscard]] int guarded(const std::function<int()>& body, const ErrorStyle& style);

}  // namespace retrial::harness::inline text
