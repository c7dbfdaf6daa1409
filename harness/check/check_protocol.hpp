#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "harness/check/surroundings.hpp"
#include "harness/plan/plan.hpp"
#include "harness/run/trial_record.hpp"
#include "harness/worker/pool.hpp"

namespace retrial::harness::inline check {

/// The reproducibility protocol of Bouthillier et al. 2021: every honored source at `seeds` pair indices, the others
/// held; each such trial `repeats` times, and once more interrupted at every boundary, with other trials in between.
/// All sources share the trial with every source at pair 0. A user's program has no boundaries: in place of
/// interruptions that shared trial, or the first one that does not repeat, is run in other surroundings.
struct CheckSettings {
  PoolSettings pool;
  std::filesystem::path data, cache;
  workloads::Folders folders;  ///< named by keys of place
  workloads::Scripts scripts;  ///< that the user allows
  int seeds = 5, repeats = 5;
  bool interrupt = true;
  Suspects suspects;  ///< around a user's program: one run each
  /// The last repeats begin this long after the first have ended: a clock is read in another second.
  std::chrono::milliseconds apart{0};
  std::int64_t max_steps = 3;  ///< liveness only: optimizer steps per training; 0: whole trials
  std::function<void(const std::string& phase, std::size_t done, std::size_t of)> progress;
};

struct CheckFinding {
  /// not-reproducible, interruption, surroundings, dead-source, or the name of an audit of the workload
  std::string kind;
  std::string variant, source;
  std::uint64_t pair = 0;
  Difference difference;
  std::size_t outcomes = 0, runs = 0;  ///< not-reproducible: number of different outcomes, and of runs
  std::optional<std::int64_t> step;    ///< first differing optimizer step, where it could be located
  std::string detail;
};

struct CheckReport {
  std::string variant;
  std::vector<std::string> sources;
  std::vector<std::string> audits;  ///< names of the audits applied to every trial
  std::size_t identities = 0, trials = 0, interrupted = 0, boundaries = 0;
  std::size_t changed = 0;           ///< runs in other surroundings
  std::vector<std::string> untried;  ///< surroundings that could not be tried here
  std::vector<CheckFinding> findings;
  std::vector<std::string> remarks;  ///< worth knowing, but no findings
};

/// "metric acc is 0.91 and 0.93 (difference 0.02) at the end"; digests as they are.
[[nodiscard]] std::string differing_text(const Difference& difference);
/// One side of a difference for people: the number of a metric, anything else as it is.
[[nodiscard]] std::string side_text(const Difference& difference, const std::string& side);
/// " at step 3", " at the end".
[[nodiscard]] std::string place_text(const Difference& difference);
/// {what, step, a, b, a_value, b_value}: the bits of both sides, and their numbers where it is a metric, else null.
[[nodiscard]] Json difference_document(const Difference& difference);

/// The number of trials that check_variant will run.
[[nodiscard]] std::size_t check_size(const Study& study, const StudyVariant& variant, const CheckSettings& settings);

/// Error{measurement} if a trial fails: check needs a program that runs.
[[nodiscard]] CheckReport check_variant(const Study& study, const StudyVariant& variant, const PlanInputs& inputs,
                                        const CheckSettings& settings);

/// Settings of run_trials; workloads::Place defines the numbers.
struct HowToRun {
  std::int64_t checksum_every = 0, max_steps = 0;
  bool keep_failures = false;              ///< a failed trial gives a record too
  std::vector<std::string> launcher = {};  ///< workloads::Place::launcher
  /// Called while trials run: how many have ended, with the shares of those that run.
  std::function<void(double done)> advanced = {};
};

/// Runs trials and returns their records in the given order; throws like check_variant.
[[nodiscard]] std::vector<results::TrialRecord> run_trials(const std::vector<results::PlanEntry>& entries,
                                                           const Json& study, const PoolSettings& pool,
                                                           const CheckSettings& settings, const std::string& phase,
                                                           const HowToRun& how = {});
/// The same in running workers: starting one can cost more than a trial.
[[nodiscard]] std::vector<results::TrialRecord> run_trials(const std::vector<results::PlanEntry>& entries,
                                                           const Json& study, WorkerPool& pool,
                                                           const CheckSettings& settings, const std::string& phase,
                                                           const HowToRun& how = {});

/// Lets a worker probe each of these trials. Error{integrity} for a finding of a kind not in `declared`.
[[nodiscard]] std::vector<workloads::ProbeReport> run_probes(const std::vector<results::PlanEntry>& entries,
                                                             WorkerPool& pool, const CheckSettings& settings,
                                                             const std::vector<std::string>& declared);

}  // namespace retrial::harness::inline check
