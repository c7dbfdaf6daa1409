#pragma once

#include <string>
#include <vector>

#include "harness/command_line/command.hpp"

namespace retrial::harness::inline program {

/// Every command, in the order of the help. Each row is defined in a file of harness/commands/.
[[nodiscard]] const std::vector<Command>& all_commands();
/// The command of this name, or Error{usage} with the nearest one.
[[nodiscard]] const Command& find_command(const std::string& name);

}  // namespace retrial::harness::inline program
