#pragma once

#include <optional>
#include <vector>

#include "workloads/interface/trial/probe.hpp"
#include "workloads/pipeline/method_active.hpp"

/// Measurements of `check --liveness` inside a run of 256 samples.
namespace retrial::pipeline {

/// All passes of a run in the simulated clock, as its stages reported them.
struct Trace {
  std::vector<std::uint64_t> first_weights;   ///< for each stage: WeightGuard's digest
  std::vector<std::vector<PassRead>> passes;  ///< for each stage, in order
  std::vector<std::int64_t> updates;          ///< for each stage, at the end
  std::int64_t units = 0;                     ///< micro-batches before the first loss that was not finite
  Counters counters;
};

/// delay-differs: between the forward of a micro-batch and its backward a stage made min(update, delay of the model)
/// updates, and the update went at the rate of its sample, whatever the tick.
[[nodiscard]] std::optional<workloads::Finding> check_delays(const Trace& trace, const Method& method);
/// wrong-weights: every pass read the version that its semantics names, in number and in bytes. The bytes of predicted
/// weights belong to no version.
[[nodiscard]] std::optional<workloads::Finding> check_reads(const Trace& trace, const Method& method);
/// gradient-lost: each stage ran the backward of every micro-batch once, in order, and made an update of each group.
[[nodiscard]] std::optional<workloads::Finding> check_gradients(const Trace& trace, const Method& method);
/// method-inactive: no promise has a counter of 0. Reads of older weights are left to check_reads where that has found
/// something.
[[nodiscard]] std::optional<workloads::Finding> check_methods(const std::vector<Promise>& promises,
                                                              const Counters& counted, bool reads_are_right);

}  // namespace retrial::pipeline
