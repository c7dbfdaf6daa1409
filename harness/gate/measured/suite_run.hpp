#pragma once

#include <filesystem>
#include <memory>

#include "harness/command_line/command.hpp"
#include "harness/gate/measured/planned_suite.hpp"
#include "harness/run/root_seed.hpp"
#include "harness/run/run_study.hpp"

namespace retrial::harness::inline gate::inline measured {

/// Gives the suite its root seed, and every benchmark its plan: the seed of the file or of --seed, that of the stored
/// suite that differs in nothing else, or a new one.
[[nodiscard]] SeedFrom plan_all(PlannedSuite& suite, const std::filesystem::path& path, const Arguments& arguments);
/// Stores studies, plans and designs before the first run.
void store_plans(results::Store& store, const PlannedSuite& suite, SeedFrom seed);
/// Every trial has a process of its own and the machine for itself.
[[nodiscard]] RunSettings run_settings(const Arguments& arguments, const Study& study);

/// Whether the trials of a store tell its launches: before this was kept, each pair had a launch of its own.
[[nodiscard]] bool has_launches(const results::Store& store);
/// The first pair with a trial that is still to run; pairs() where none is.
[[nodiscard]] std::int64_t first_open_pair(const results::Store& store, const PlannedSuite& suite, bool retry_failed);

/// A suite that is run in parts, with one line of progress. Arguments, suite and store must outlive it.
class SuiteRun {
 public:
  SuiteRun(const Arguments& arguments, const PlannedSuite& suite, results::Store& store);
  ~SuiteRun();
  SuiteRun(const SuiteRun&) = delete;
  SuiteRun& operator=(const SuiteRun&) = delete;

  /// Runs what is missing of the first `pairs` pairs. The summary tells of a signal.
  [[nodiscard]] RunSummary up_to(std::int64_t pairs);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace retrial::harness::inline gate::inline measured
