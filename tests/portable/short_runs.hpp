#pragma once

#include <string>
#include <vector>

#include "results/record/record.hpp"
#include "workloads/interface/contribution.hpp"

namespace retrial::tests::portable {

/// A short trial of a registered workload.
struct Case {
  std::string workload;
  workloads::ShortTrial trial;
  [[nodiscard]] std::string name() const { return workload + ": " + trial.name; }
};

/// Of every workload that has any, in their order.
[[nodiscard]] std::vector<Case> all_cases();
/// The first of each workload.
[[nodiscard]] std::vector<Case> first_cases();

/// Why this CPU cannot run mode portable; empty: it can.
[[nodiscard]] std::string unavailable();

/// All cases in one worker with LibTorch, three optimizer steps of every training, a digest after each of them.
/// `model`: the CPU that an emulator shows to the worker; empty: this one. Error for a trial that fails, with its
/// message. `worker`: the program next to retrial that runs them.
[[nodiscard]] std::vector<results::TrialRecord> run(const std::vector<Case>& cases, const std::string& mode,
                                                    const std::string& model,
                                                    const std::string& worker = "retrial-worker");

/// "distillation: ce: digest step_weights is ... and ... at step 1" for every case whose records differ.
[[nodiscard]] std::vector<std::string> differences(const std::vector<Case>& cases,
                                                   const std::vector<results::TrialRecord>& a,
                                                   const std::vector<results::TrialRecord>& b);

}  // namespace retrial::tests::portable
