#pragma once

#include "harness/command_line/command.hpp"
#include "harness/gate/gate.hpp"
#include "harness/gate/measured/planned_suite.hpp"

namespace retrial::harness::inline gate::inline measured {

struct Measured {
  GateResult result;
  GateSettings settings;
  GateSuite suite = {};  ///< what was judged
  int signal = 0;        ///< the signal that stopped the runs; there is no result then
  /// Pairs run and planned, where further launches have to run the others; there is no result then either.
  std::optional<std::array<std::int64_t, 2>> launched = {};
};

/// Plans the suite that the command line names, runs what its store lacks, and judges it.
[[nodiscard]] Measured measure_and_judge(const Arguments& arguments);

/// --baseline STORE --candidate STORE: judges what is stored, by the design of the candidate's gate.
[[nodiscard]] Measured judge_stores(const Arguments& arguments);

/// --make-baseline: runs the baseline alone into a store of its own. Returns the exit code.
int make_baseline(const Arguments& arguments);

/// --dry-run: every trial in order, with the command that it would start. `control`: the name of a third side, which is
/// the baseline once more.
void print_suite(const Arguments& arguments, RunSides sides = RunSides::both, const std::string& control = {});

}  // namespace retrial::harness::inline gate::inline measured
