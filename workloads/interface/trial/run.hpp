#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

#include "results/record/record.hpp"
#include "results/record/score_bounds.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::inline interface::inline trial {

/// Receives the reports of a run. The worker keeps metrics and digests in the checkpoint, so a resumed run does not
/// report them again.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// A metric whose name only this run knows. The declaration must say that there are some (finds_metrics).
  virtual void define(const results::MetricDef&) {}
  /// `name` must be declared or defined; step -1 is the final value.
  virtual void metric(std::string_view name, double value, std::int64_t step = -1) = 0;
  /// The final value of `name` is only a bound of the score. results::bound_of(name) must be declared beside it.
  void bounded(std::string_view name, variance::ScoreBound bound) {
    if (bound != variance::ScoreBound::exact) metric(results::bound_name(name), results::value_of(bound));
  }
  /// A bit digest; names such as "weights", "predictions"; algorithm psum2 or sha256.
  virtual void digest(std::string_view name, std::int64_t step, std::string_view algorithm, std::string_view hex) = 0;
  virtual void progress(double fraction) = 0;
  /// The state of the run in a few words for the progress line: "step 5 of 8, epoch 3 of 20". Shown with the next
  /// progress report, not stored.
  virtual void standing(std::string_view) {}
  virtual void warning(std::string_view text) = 0;
  /// The objective became non-finite: the trial proceeds to its evaluation and is stored as diverged.
  virtual void diverged(std::int64_t step) = 0;
  /// A small file or text kept with the trial.
  virtual void artifact(std::string_view name, std::string_view kind, std::string_view body) = 0;
};

/// One running trial, boundary by boundary (epoch, phase).
class Run {
 public:
  virtual ~Run() = default;
  /// Runs to the next boundary; false: finished, everything recorded.
  virtual bool advance(Recorder& recorder) = 0;
  /// The state at a boundary. A run saved and loaded anywhere gives the same bits as one that was not.
  virtual void save(std::ostream& to) const = 0;
  virtual void load(std::istream& from) = 0;
};

using Start = std::function<std::unique_ptr<Run>(const Trial&, const Place&)>;

}  // namespace retrial::workloads::inline interface::inline trial
