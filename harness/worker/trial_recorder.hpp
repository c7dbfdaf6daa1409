#pragma once

#include <functional>
#include <iosfwd>

#include "harness/worker/protocol.hpp"
#include "workloads/interface/declaration.hpp"
#include "workloads/interface/trial/run.hpp"

namespace retrial::harness::inline worker {

/// Collects what a run reports, checks it against the declaration, and passes progress, digests and warnings on.
/// Its state goes into the checkpoint, so that a resumed run reports everything exactly once.
class TrialRecorder final : public workloads::Recorder {
 public:
  using Send = std::function<void(const WorkerEvent&)>;
  /// `finds`: the run may define further metrics.
  TrialRecorder(const std::vector<results::MetricDef>& defs, Send send, bool finds = false);

  void define(const results::MetricDef& metric) override;
  void metric(std::string_view name, double value, std::int64_t step) override;
  void digest(std::string_view name, std::int64_t step, std::string_view algorithm, std::string_view hex) override;
  void progress(double fraction) override;
  void standing(std::string_view text) override;
  void warning(std::string_view text) override;
  void diverged(std::int64_t step) override;
  void artifact(std::string_view name, std::string_view kind, std::string_view body) override;

  /// Everything recorded so far, as an event of the given kind.
  [[nodiscard]] WorkerEvent recorded(WorkerEvent::Kind kind) const;
  /// The same for a checkpoint. `spent` has the costs of this process so far.
  [[nodiscard]] Json state(const WorkerEvent& spent = {}) const;
  void restore(const Json& state);
  /// Counts that the trial went on from the state of a process that was killed.
  void note_resumed() { ++recorded_.resumed; }

 private:
  std::vector<results::MetricDef> defs_;
  Send send_;
  bool finds_;
  WorkerEvent recorded_;
  std::string text_;
};

}  // namespace retrial::harness::inline worker
