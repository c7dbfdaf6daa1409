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

/// Whether the programs of a study have benchmarks of their own, each of which becomes metrics.
[[nodiscard]] bool finds_metrics(const Study& study);
/// Whether a metric that a run found is judged: all are where no name is asked for; else those with such a name, or
/// with such an ending (real_time of sort:real_time).
[[nodiscard]] bool asks_for_found(const std::vector<std::string>& asked, const results::MetricDef& def);

/// What is judged: the metrics that are named; else the time of the processes, or their instructions, and every score.
/// Of programs with benchmarks of their own only what is known before; found_metrics.hpp adds the rest.
/// Error{usage} names `where` for an unknown metric, for one without direction, and for a score without thresholds of
/// its own; Error{incomparable} where this machine cannot measure it.
[[nodiscard]] std::vector<results::MetricDef> judged_metrics(const Study& study, const GateSettings& settings,
                                                             const std::string& where);

}  // namespace retrial::harness::inline gate::inline measured
