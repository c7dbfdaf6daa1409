#pragma once

#include <string>
#include <vector>

namespace retrial::harness::inline command_line {

/// Every exit code, for the help and the manual; docs/exit-codes.md lists the codes of each command.
struct ExitRow {
  std::string code, meaning;
};
[[nodiscard]] const std::vector<ExitRow>& exit_table();

}  // namespace retrial::harness::inline command_line
