#pragma once

#include "harness/study_report/material/material.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline study_report::inline provenance {

/// The trials that failed or diverged, by variant and pair. Nothing if every trial succeeded.
[[nodiscard]] std::optional<report::Figure> failure_map(const Material& material);

}  // namespace retrial::harness::inline study_report::inline provenance
