#pragma once

#include <string>
#include <vector>

#include "harness/command_line/command.hpp"

namespace retrial::harness::inline program {

/// The purpose of retrial, and the first commands that a new user may type. Help and manual share them.
[[nodiscard]] std::string program_purpose();
[[nodiscard]] std::vector<std::string> program_examples();
/// A purpose has no capital and no full stop in a table; here it becomes a sentence.
[[nodiscard]] std::string sentence_of(std::string purpose);
/// The meaning of an option, with its choices and whether it is repeatable.
[[nodiscard]] std::string option_meaning(const Option& option);

/// Options under one heading.
struct OptionGroup {
  std::string title;
  std::vector<Option> options;
};
/// "Options" with --help, then the other headings in the order of their first option.
[[nodiscard]] std::vector<OptionGroup> option_groups(const Command& command);

/// The page of a bare `retrial` and of `retrial --help`: purpose, first examples, every command by group.
[[nodiscard]] std::string program_help(std::size_t width);
/// Examples first, then usage, purpose and options.
[[nodiscard]] std::string command_help(const Command& command, std::size_t width, bool whole = true);

}  // namespace retrial::harness::inline program
