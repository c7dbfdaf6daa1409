#pragma once

#include <string>
#include <vector>

#include "workloads/profiler/measured/run_profile.hpp"

namespace retrial::harness::inline profile {

/// What a run records of itself.
struct Configuration {
  std::string name, meaning;
  bool operations = false, layers = false, collector = false;
  std::string kind;  ///< of the cost that this run has and the one with nothing has not; empty: none, or several

  [[nodiscard]] profiler::ProfileOrder order(std::uint64_t cap_bytes) const {
    return {.operations = operations, .layers = layers, .collector = collector, .cap_bytes = cap_bytes};
  }
};

/// Nothing, each kind of bookkeeping alone, everything. Layers that the code of a workload opens itself are a kind
/// beside those of the collector.
[[nodiscard]] const std::vector<Configuration>& configurations();
[[nodiscard]] const Configuration& nothing_recorded();
[[nodiscard]] const Configuration& everything_recorded();

}  // namespace retrial::harness::inline profile
