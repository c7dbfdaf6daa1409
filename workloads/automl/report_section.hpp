#pragma once

#include "results/report/report.hpp"
#include "workloads/interface/evidence.hpp"

namespace retrial::automl {

/// The section of a study of searches: scores with their tails, area under the best loss, shares by set, the best loss
/// of every pair against cost, and cost units against time.
[[nodiscard]] report::Part report_section(const workloads::StudyEvidence& evidence);

}  // namespace retrial::automl
