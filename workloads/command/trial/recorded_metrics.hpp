#pragma once

#include <optional>
#include <string>

#include "workloads/command/reading/json_values.hpp"
#include "workloads/command/trial/metric_reads.hpp"
#include "workloads/interface/trial/run.hpp"

namespace retrial::workloads::command::inline trial {

/// Readable results of a finished program.
struct Readable {
  std::string output;                   ///< without escape sequences
  bool whole = true;                    ///< nothing of the output was dropped
  std::optional<JsonValues> json = {};  ///< where metrics without a pattern are
  std::string json_name = {};           ///< "its JSON"
  bool logged = false;                  ///< the JSON is the program's log: values with a step are a curve
};

/// Records the curve and the final value of every metric; the first one decides whether the trial diverged. Throws
/// TrialFailure command.no_metric or command.bad_curve.
void record_metrics(Recorder& recorder, const std::vector<MetricRead>& metrics, const Readable& from);

/// Set where the program printed the clock of its GPU, `sm_clock_mhz`, and its default, `sm_clock_default_mhz`, both of
/// them metrics, and the clock is below three quarters of the default (the rule of NVIDIA's nvbench): a sentence.
[[nodiscard]] std::optional<std::string> throttled(const std::vector<MetricRead>& metrics, const std::string& printed);
/// Whether both clocks are among the metrics: else no output has to be looked through.
[[nodiscard]] bool reads_clocks(const std::vector<MetricRead>& metrics);

/// Defines and records the times of every benchmark in a file of Google Benchmark: each repetition, and the least one
/// as the final value. Not a number where the benchmark reported an error. Throws TrialFailure command.bad_json,
/// command.no_benchmark.
void record_benchmarks(Recorder& recorder, const std::string& text, const std::string& file);

}  // namespace retrial::workloads::command::inline trial
