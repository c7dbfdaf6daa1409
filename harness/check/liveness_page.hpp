#pragma once

#include "harness/check/liveness.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline check {

/// The number of changes, the findings, and the keys left out with the reason. The data: schema retrial.liveness/1.
[[nodiscard]] report::Part liveness_part(const Study& study, const CheckSettings& settings,
                                         const LivenessReport& report);

}  // namespace retrial::harness::inline check
