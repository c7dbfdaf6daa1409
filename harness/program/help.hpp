#pragma once

#include <string>
#include <vector>

#include "harness/command_line/command.hpp"

namespace retrial::harness::inline program {

/// What retrial is for, in three sentences; the first lines a stranger may type. Help and manual share them.
[[nodiscard]] std::string program_purpose();
[[nodiscard]] std::vector<std::string> program_examples();
/// A purpose stands in a table without a capital and a full stop; alone it is a sentence.
[[nodiscard]] std::string sentence_of(std::string purpose);
/// The meaning of an option with its choices and whether it repeats.
[[nodiscard]] std::string option_meaning(const Option& option);

/// Options under one heading.
struct OptionGroup {
  std::string title;
  std::vector<Option> options;
};
/// The command's own options with --help, then the flags of each workload.
[[nodiscard]] std::vector<OptionGroup> option_groups(const Command& command);

/// What a bare `retrial` and `retrial --help` print: what it is for, a first example, every command by group.
[[nodiscard]] std::string program_help(std::size_t width);
/// Examples first, then usage, what it does, its options.
[[nodiscard]] std::string command_help(const Command& command, std::size_t width);

}  // namespace retrial::harness::inline program
