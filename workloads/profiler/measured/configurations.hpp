#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/profiler/measured/run_profile.hpp"

/// The runs of a profile study: which of them record what, and in which order.
namespace retrial::profiler::inline measured {

/// What a run records of itself.
struct Configuration {
  std::string name, meaning;
  bool operations = false, layers = false, collector = false;
  std::string kind;  ///< of the cost that this run has and the one with nothing has not; empty: none, or several

  /// `with`: the collector, where this configuration has one.
  [[nodiscard]] ProfileOrder order(std::uint64_t cap_bytes, const std::string& with) const {
    return {.operations = operations,
            .layers = layers,
            .collector = collector ? with : no_collector,
            .cap_bytes = cap_bytes};
  }
};

/// What the fullest run of a profile records.
struct Level {
  bool operations = true, layers = true, collector = true;
};

/// Nothing, each kind of bookkeeping of the level alone, all of it: first to last. Layers that the code of a workload
/// opens itself are a kind beside those of the collector.
[[nodiscard]] std::vector<Configuration> configurations(const Level& level);

/// Why a run is made.
enum class Role {
  calibration,  ///< estimates what an event costs
  off,          ///< of a measured pair, with nothing recorded
  measured,     ///< of a measured pair, with everything recorded
};
[[nodiscard]] std::string_view name_of(Role role);

struct PlannedRun {
  Role role = Role::calibration;
  Configuration how;
};

/// The runs of one block, in order. The first `calibration_blocks` blocks repeat one training in every configuration,
/// in an order that rotates; each block after them is a pair of another training, with nothing recorded first in the
/// first, third and so on. Runs of one block share a launch, so that their times are comparable.
[[nodiscard]] std::vector<PlannedRun> runs_of_block(std::int64_t block, std::int64_t calibration_blocks,
                                                    const Level& level);
/// The pair of a block: 0 in the calibration, 1 in the first block after it.
[[nodiscard]] inline std::int64_t pair_of_block(std::int64_t block, std::int64_t calibration_blocks) {
  return block < calibration_blocks ? 0 : block - calibration_blocks + 1;
}

}  // namespace retrial::profiler::inline measured
