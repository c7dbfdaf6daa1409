#pragma once

#include <string>

#include "harness/command.hpp"

namespace retrial::harness {

/// What a bare `retrial` and `retrial --help` print: what it is for, a first example, every command by group.
[[nodiscard]] std::string program_help(std::size_t width);
/// Examples first, then usage, what it does, its options.
[[nodiscard]] std::string command_help(const Command& command, std::size_t width);

/// "retrial 0.1.0".
[[nodiscard]] std::string version_line();
/// The same with compiler and libraries (schema retrial.version/1).
[[nodiscard]] Json version_document();

}  // namespace retrial::harness
