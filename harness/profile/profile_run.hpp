#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/trial_record.hpp"
#include "harness/worker/pool.hpp"
#include "workloads/profiler/overhead/validation.hpp"

namespace retrial::harness::inline profile {

struct ProfileSettings {
  std::int64_t blocks = 5, pairs = 5;
  bool calibrate = true;
  double tolerance = 5;  ///< of the bias, in percent
  std::uint64_t cap_bytes = 0;
  std::filesystem::path traces;  ///< folder of the traces of measured runs; empty: none is kept
  std::filesystem::path data;
  workloads::Scripts scripts;  ///< that the user allows
  PoolSettings pool;
  std::function<void(const std::string& variant, std::size_t done, std::size_t of)> progress;
};

/// Two runs of one trial that differ, though profiling must change nothing.
struct ChangedResult {
  std::string run;  ///< "pair 3, everything recorded"
  Difference difference;
};

/// The runs of one variant: calibration at pair 0, measured pairs from 1 on.
struct ProfiledVariant {
  std::string name;
  std::vector<profiler::CostEstimate> costs;
  std::vector<profiler::RunProfile> off, full;  ///< by measured pair
  std::vector<ChangedResult> changed;
  profiler::Validation validation;
};

struct ProfiledStudy {
  std::vector<ProfiledVariant> variants;
  Json manifest;  ///< of the worker
};

/// One run at a time, in one worker. For each variant a run that only warms up; then blocks of the same work with
/// nothing recorded, with one kind of bookkeeping, and with all of them, in an order that rotates; then each pair with
/// nothing and with everything, nothing first in the odd ones. Throws Error{usage} for a workload that opens no
/// operation, Error{measurement} for a run that fails.
[[nodiscard]] ProfiledStudy run_profiles(const Study& study, const PlanInputs& inputs, const ProfileSettings& settings);

}  // namespace retrial::harness::inline profile
