#pragma once

#include "results/report/report.hpp"
#include "workloads/interface/evidence.hpp"

namespace retrial::rl {

/// The section Scores of a study: the return of every trial on the 100 starts, the interquartile mean of each variant
/// with its interval, beside the bar of the published settings and beside policies written by hand. Of scores that are
/// not finite an interquartile mean is unknown once one of them reaches the middle half.
[[nodiscard]] report::Part scores_section(const workloads::StudyEvidence& evidence);

}  // namespace retrial::rl
