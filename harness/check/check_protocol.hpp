#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/trial_record.hpp"
#include "harness/worker/pool.hpp"

namespace retrial::harness::inline check {

/// The reproducibility protocol of Bouthillier et al. 2021: every honoured source at `seeds` pair indices, the others
/// held; every such trial `repeats` times; and once more interrupted at every boundary, with boundaries of other
/// trials in between. The trials with all sources at pair 0 are shared by the sources.
struct CheckSettings {
  PoolSettings pool;
  std::filesystem::path data, cache;
  workloads::Folders folders;  ///< that keys of place name
  int seeds = 5, repeats = 5;
  bool interrupt = true;
  std::int64_t most_steps = 3;  ///< of a liveness check: optimiser steps after which a training ends; 0: whole trials
  std::function<void(const std::string& phase, std::size_t done, std::size_t of)> progress;
};

struct CheckFinding {
  std::string kind;  ///< not-reproducible, interruption, dead-source, or the name of an audit of the workload
  std::string variant, source;
  std::uint64_t pair = 0;
  Difference difference;
  std::optional<std::int64_t> step;  ///< first differing optimiser step, where it could be located
  std::string detail;
};

struct CheckReport {
  std::string variant;
  std::vector<std::string> sources;
  std::vector<std::string> audits;  ///< names of those that every trial passed or failed
  std::size_t identities = 0, trials = 0, interrupted = 0, boundaries = 0;
  std::vector<CheckFinding> findings;
};

/// How many trials check_variant runs, before it does.
[[nodiscard]] std::size_t check_size(const Study& study, const StudyVariant& variant, const CheckSettings& settings);

/// Throws Error{measurement} when a trial fails: what cannot run cannot be checked.
[[nodiscard]] CheckReport check_variant(const Study& study, const StudyVariant& variant, const PlanInputs& inputs,
                                        const CheckSettings& settings);

/// How run_trials runs them: workloads::Place says what the numbers mean.
struct HowToRun {
  std::int64_t checksum_every = 0, most_steps = 0;
  bool keep_failures = false;  ///< a failed trial is a record like another
};

/// Runs trials and gives their records in the order asked; throws like check_variant.
[[nodiscard]] std::vector<results::TrialRecord> run_trials(const std::vector<results::PlanEntry>& entries,
                                                           const Json& study, const PoolSettings& pool,
                                                           const CheckSettings& settings, const std::string& phase,
                                                           const HowToRun& how = {});
/// The same in workers that are there already: to start one costs more than many a trial.
[[nodiscard]] std::vector<results::TrialRecord> run_trials(const std::vector<results::PlanEntry>& entries,
                                                           const Json& study, WorkerPool& pool,
                                                           const CheckSettings& settings, const std::string& phase,
                                                           const HowToRun& how = {});

/// Asks a worker what it finds inside each of these trials. Error{integrity} for a finding of a kind not `declared`.
[[nodiscard]] std::vector<workloads::ProbeReport> run_probes(const std::vector<results::PlanEntry>& entries,
                                                             WorkerPool& pool, const CheckSettings& settings,
                                                             const std::vector<std::string>& declared);

}  // namespace retrial::harness::inline check
