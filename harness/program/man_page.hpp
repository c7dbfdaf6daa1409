#pragma once

#include <string>

#include "harness/command_line/command.hpp"

namespace retrial::harness::inline program {

/// Manual pages in man(7) macros, from the same tables as --help: retrial(1), retrial-COMMAND(1), and
/// retrial-study(5), the keys of a study file. They have no date, so that the same program prints the same bytes.
[[nodiscard]] std::string program_manual();
[[nodiscard]] std::string command_manual(const Command& command);
[[nodiscard]] std::string study_manual();

}  // namespace retrial::harness::inline program
