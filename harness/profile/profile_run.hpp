#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "harness/plan/plan.hpp"
#include "harness/profile/stored_profile.hpp"
#include "harness/worker/pool.hpp"

namespace retrial::harness::inline profile {

struct ProfileSettings {
  std::uint64_t cap_bytes = 0;
  std::string clock;                                   ///< of the recordings; empty: the best that the CPU promises
  std::vector<std::string> rules;                      ///< evaluated on both runs of a measured pair
  std::int64_t rule_every = 100;                       ///< gradient steps between captures
  std::int64_t period_ns = profiler::usual_period_ns;  ///< of the emulated samples of a GPU
  std::filesystem::path traces;                        ///< folder of the traces of measured runs; empty: none is kept
  std::filesystem::path data;
  workloads::Scripts scripts;  ///< that the user allows
  std::optional<std::string> host_label = {};
  PoolSettings pool;
  std::function<void(const std::string& variant, std::size_t done, std::size_t of)> progress;
};

/// Runs the blocks of a profile study that its store lacks, one run at a time in one worker, and stores each block when
/// its last run has ended: a launch that is killed loses one block, and no block has runs of two processes. The
/// first run of a block follows on one that only warmed up. Throws Error{measurement} for a run that fails,
/// Error{interrupted} after a signal, Error{usage} while another process profiles the same study.
void run_profiles(results::Store& store, const Study& study, const Plan& plan, const ProfileSettings& settings);

}  // namespace retrial::harness::inline profile
