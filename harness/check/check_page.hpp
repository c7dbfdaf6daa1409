#pragma once

#include "harness/check/check_protocol.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline check {

/// One variant: the size of the check, then its findings, or that all runs agree. The data: a row of `variants` in
/// schema retrial.check/1.
[[nodiscard]] report::Part check_part(const CheckReport& report, const CheckSettings& settings);

}  // namespace retrial::harness::inline check
