#pragma once

#include <string>
#include <vector>

#include "results/record/record.hpp"
#include "workloads/profiler/measured/run_profile.hpp"
#include "workloads/profiler/overhead/calibration.hpp"
#include "workloads/profiler/overhead/windows.hpp"

namespace retrial::profiler::inline measured {

/// What the events of a run cost, by operation. The cost of an operator that another one calls falls into the layer,
/// that of all other events into App. A kind without an estimate charges nothing.
[[nodiscard]] std::vector<OperationCharge> charges_by_operation(const RunProfile& run,
                                                                const std::vector<CostEstimate>& costs);

/// The costs that a run of a profile study has beside those of every trial. Of every run: profiled_s, the time between
/// begin and end of the recording. Of a measured run: raw_share_OPERATION and raw_layer_LAYER (% of the time),
/// transitions (changes of layer for each boundary of the run), and where a kernel of a GPU was recorded gpu_busy and
/// gpu_sampled (%: the share of the time in which one ran, and of sample periods, as nvidia-smi shows it); where
/// profiling was calibrated, the same without its cost (share_OPERATION, layer_LAYER) and profiled_corrected_s.
/// `operations`: those that the workload opens; the time of all others, and outside of any, is share_other.
[[nodiscard]] std::vector<results::MetricDef> profile_metrics(const std::vector<std::string>& operations);

/// The values of one run. `costs`: absent where nothing was calibrated. Not of a measured run: profiled_s alone.
[[nodiscard]] std::vector<results::MetricValue> profile_values(const RunProfile& run, bool measured,
                                                               const std::vector<CostEstimate>* costs,
                                                               const std::vector<std::string>& operations);

}  // namespace retrial::profiler::inline measured
