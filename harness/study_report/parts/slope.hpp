#pragma once

#include "harness/study_report/material/material.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline study_report::inline parts {

/// Each pair as a line from the value of the baseline to that of the candidate. Nothing without a complete pair. The
/// numbers are those of pairs_part().
[[nodiscard]] std::optional<report::Figure> slope_figure(const Material& material);

}  // namespace retrial::harness::inline study_report::inline parts
