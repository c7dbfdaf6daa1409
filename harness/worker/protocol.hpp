#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "determinism/price/step_clock.hpp"
#include "harness/plan/trial_body.hpp"
#include "results/record/record.hpp"
#include "workloads/interface/trial/probe.hpp"
#include "workloads/interface/trial/trial.hpp"
#include "workloads/profiler/measured/run_profile.hpp"

/// The protocol between front end and worker: JSON lines with "v": 1, over one descriptor each way. Doubles are sent as
/// 16 hex digits. Output of the worker on stdout and stderr is not part of it.
namespace retrial::harness::inline worker {

constexpr int worker_commands_fd = 3;  ///< the worker reads here
constexpr int worker_events_fd = 4;    ///< and writes here

/// Where the state of a running trial is kept, so that a trial whose processes were killed goes on.
struct Keep {
  std::filesystem::path file;  ///< in a folder of this user alone; empty: nothing is kept, and nothing goes on
  double every_s = 0;          ///< between two states
};

/// To the worker: run one trial, from a checkpoint or from its beginning, to its end or for a number of boundaries; or
/// probe its parts and reply with findings; or time its steps, or those of a layer; or say where its time goes.
struct RunOrder {
  TrialBody trial;
  std::string from;             ///< checkpoint to start from; empty: the beginning
  std::int64_t stop_after = 0;  ///< boundaries to run before a checkpoint is written; 0: to the end
  Keep keep = {};
  bool probe = false;                                 ///< answer the workload's probes instead of running the trial
  std::optional<determinism::PriceOrder> price = {};  ///< time steps; the trial is empty for a layer
  std::optional<profiler::ProfileOrder> profile = {};
  workloads::Place place;
};
[[nodiscard]] std::string encode(const RunOrder& order);
[[nodiscard]] RunOrder decode_order(const std::string& line);

/// From the worker.
struct WorkerEvent {
  enum class Kind { hello, started, progress, digest, warning, finished, stopped, failed, probed, priced, profiled };
  Kind kind = Kind::started;
  std::string worker;             ///< hello: name of the worker
  Json mode_effective;            ///< hello
  Json manifest;                  ///< hello
  double fraction = 0;            ///< progress
  std::string text;               ///< warning text, failure message, checkpoint path
  std::string failure;            ///< failed: class token
  workloads::ProbeReport report;  ///< probed
  determinism::StepTimes times;   ///< priced
  profiler::RunProfile profile;   ///< profiled
  results::DigestValue digest;
  std::vector<results::MetricDef> defs;  ///< with the metrics below: those that only the run could name
  // finished and profiled; also failed and stopped, with the records up to then
  std::vector<results::MetricValue> metrics;
  std::vector<results::DigestValue> digests;
  std::vector<results::ArtifactValue> artifacts;
  std::optional<std::int64_t> diverged_at;
  std::int64_t boundaries = 0, wall_ns = 0, cpu_ns = 0, peak_rss = 0;
  std::optional<std::int64_t> instructions;  ///< in user space, where the kernel has a hardware counter
  std::int64_t resumed = 0;  ///< times that it went on from a kept state; the costs of earlier processes are included
};
/// Adds the costs of one process to those of earlier ones.
void add_costs(WorkerEvent& event, const WorkerEvent& spent);
[[nodiscard]] std::string encode(const WorkerEvent& event);
/// Throws Error{integrity} for a line that does not follow the protocol.
[[nodiscard]] WorkerEvent decode_event(const std::string& line);

}  // namespace retrial::harness::inline worker
