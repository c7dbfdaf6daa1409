#pragma once

#include <string>
#include <vector>

namespace retrial::harness::inline program {

/// The whole of `retrial`: global options, the command, its page on standard output or one error on standard error.
/// `words` is argv without the program's name. Returns the exit code of docs/exit-codes.md.
[[nodiscard]] int run_program(const std::vector<std::string>& words);

}  // namespace retrial::harness::inline program
