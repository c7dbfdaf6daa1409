#pragma once

#include <string>
#include <vector>

namespace retrial::harness::inline command_line {

/// Every way to end, for the help and the manual; docs/exit-codes.md says which command ends how.
struct ExitRow {
  std::string code, meaning;
};
[[nodiscard]] const std::vector<ExitRow>& exit_table();

}  // namespace retrial::harness::inline command_line
