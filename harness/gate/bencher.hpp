#pragma once

#include "harness/gate/gate.hpp"
#include "results/json/json_fwd.hpp"

namespace retrial::harness::inline gate {

/// The candidate's side in the Bencher Metric Format, {benchmark: {metric: {value, lower_value, upper_value}}}: the
/// median of its processes and its exact 95 % interval, which exists from six processes on. Benchmarks without a value
/// are left out.
[[nodiscard]] Json bencher_document(const GateSuite& suite, const GateSettings& settings);

}  // namespace retrial::harness::inline gate
