#include "harness/command_line/exit_table.hpp"

namespace retrial::harness::inline command_line {

const std::vector<ExitRow>& exit_table() {
  static const std::vector<ExitRow> rows{
      {"0", "ok"},
      {"1", "different or regressed"},
      {"2", "usage or bad input"},
      {"3", "inconclusive"},
      {"4", "incomparable or missing"},
      {"5", "measurement failed"},
      {"6", "integrity"},
      {"130, 143", "after SIGINT and SIGTERM; everything finished so far is kept"},
  };
  return rows;
}

}  // namespace retrial::harness::inline command_line
