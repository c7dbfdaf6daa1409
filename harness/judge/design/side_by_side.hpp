#pragma once

#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "results/record/record.hpp"

namespace retrial::harness::inline judge::inline design {

/// Whether this metric is a time, which depends on what else the machine was doing.
[[nodiscard]] bool is_time(const results::MetricDef& metric);

/// The trials of the given variants that ran while another attempt of the store ran on the same machine, in a sentence;
/// empty if no such trial exists, or if the metric is not a time.
[[nodiscard]] std::string side_by_side(const results::Store& store, const std::vector<PlannedTrial>& trials,
                                       const std::vector<std::string>& variants, const results::MetricDef& metric);

}  // namespace retrial::harness::inline judge::inline design
