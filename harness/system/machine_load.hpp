#pragma once

#include <string>

namespace retrial::harness::inline system {

/// The machine at the time of a launch.
struct MachineLoad {
  std::string machine;           ///< "AMD EPYC 7763, 4 CPUs usable"
  double before = 0, after = 0;  ///< of one minute, as the kernel counts it
  int cpus = 1;
};

/// This machine before a launch.
[[nodiscard]] MachineLoad machine_now();

/// "0.5 before, 1.2 after, on 4 CPUs".
[[nodiscard]] std::string load_text(const MachineLoad& here);

}  // namespace retrial::harness::inline system
