#pragma once

#include "harness/command_line/command.hpp"
#include "harness/gate/gate.hpp"

namespace retrial::harness::inline gate::inline measured {

struct Measured {
  GateResult result;
  GateSettings settings;
  GateSuite suite = {};  ///< what was judged
  int signal = 0;  ///< the signal that stopped the runs; there is no result then
};

/// Plans the suite that the command line names, runs what its store lacks, and judges it.
[[nodiscard]] Measured measure_and_judge(const Arguments& arguments);

/// --dry-run: every trial in order, with the command that it would start.
void print_suite(const Arguments& arguments);

}  // namespace retrial::harness::inline gate::inline measured
