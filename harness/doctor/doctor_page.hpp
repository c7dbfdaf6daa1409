#pragma once

#include "harness/doctor/findings.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline doctor {

/// The facts of this machine and what was found about them; schema retrial.doctor/1.
[[nodiscard]] report::Part doctor_part(const HostFacts& facts, const HostFindings& findings);

}  // namespace retrial::harness::inline doctor
