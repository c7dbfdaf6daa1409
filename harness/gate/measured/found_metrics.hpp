#pragma once

#include "harness/gate/measured/planned_suite.hpp"
#include "results/store/store.hpp"

/// Metrics whose names only a run tells: the times of the benchmarks of a program.
namespace retrial::harness::inline gate::inline measured {

/// Whether a definition came with a run.
[[nodiscard]] bool is_found(const results::MetricDef& def);

/// The metrics that the trials of a plan found, by name.
[[nodiscard]] std::vector<results::MetricDef> found_metrics(const results::Store& store,
                                                            const std::vector<results::PlanEntry>& entries);

/// Adds them to what each benchmark of the suite is judged by, after its first pair. A program without any is judged by
/// its time, so that its failure shows. Error{usage} for a name that is asked for and that no run found.
void learn_metrics(PlannedSuite& suite, const results::Store& store);

}  // namespace retrial::harness::inline gate::inline measured
