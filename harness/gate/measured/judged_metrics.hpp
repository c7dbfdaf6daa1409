#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/gate/gate.hpp"
#include "harness/study/checks/study.hpp"
#include "results/record/record.hpp"

namespace retrial::harness::inline gate::inline measured {

/// A count of instructions, which repeats: of valgrind or of a hardware counter.
[[nodiscard]] bool is_counter(const results::MetricDef& def);

/// The metric that the study itself declares: the gate's first one, where the workload knows it.
[[nodiscard]] std::optional<std::string> declared_metric(const StudyDraft& draft, const GateSettings& settings);

/// What is judged: the metrics that are named; else the time of the processes, or their instructions, and every score.
/// Error{usage} names `where` for an unknown metric, for one without direction, and for a score without thresholds of
/// its own; Error{incomparable} where this machine cannot measure it.
[[nodiscard]] std::vector<results::MetricDef> judged_metrics(const Study& study, const GateSettings& settings,
                                                             const std::string& where);

}  // namespace retrial::harness::inline gate::inline measured
