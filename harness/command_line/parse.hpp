#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/command_line/command.hpp"

namespace retrial::harness::inline command_line {

/// The options before the command.
struct GlobalOptions {
  bool help = false, version = false, json = false, debug = false;
  std::string colour = "auto";          ///< auto, always, never
  std::optional<std::string> generate;  ///< a completion script or a manual page
};

/// argv cut in three: global options, the command's name (empty: none), and the words after it.
struct SplitLine {
  GlobalOptions global;
  std::string command;
  std::vector<std::string> rest;
};

/// The options before the command, for the help.
[[nodiscard]] const std::vector<Option>& global_options();

/// The index of the command in argv without the program's name: after the global options and their values.
[[nodiscard]] std::size_t command_place(const std::vector<std::string>& words);

/// `words` is argv without the program's name. The first word that is not an option is the command.
[[nodiscard]] SplitLine split_line(const std::vector<std::string>& words);

/// Reads the words after the command. Long names only in full; options and arguments in any order; "--" ends the
/// options. Unknown, repeated, empty or missing: Error{usage} with the nearest name and a pointer to the help.
[[nodiscard]] Arguments parse(const Command& command, const std::vector<std::string>& words);

}  // namespace retrial::harness::inline command_line
