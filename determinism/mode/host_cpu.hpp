#pragma once

#include <string>
#include <vector>

namespace retrial::determinism::inline mode {

/// The features of a machine that a kernel mode may request.
struct HostCpu {
  int cores = 1;                  ///< in the affinity mask of this process
  std::vector<std::string> isas;  ///< the names among "default", "avx2", "avx512" whose kernels this CPU can run
};

[[nodiscard]] HostCpu this_host();
/// Accepts every mode: for plans made on one machine and run on another (a cluster's login node).
[[nodiscard]] HostCpu any_host();

/// Every name of the isa axis, available here or not.
[[nodiscard]] const std::vector<std::string>& isa_names();

}  // namespace retrial::determinism::inline mode
