#pragma once

#include "harness/study_report/material/material.hpp"
#include "results/report/report.hpp"

/// The parts of a report: a section for people and the same numbers for programs.
namespace retrial::harness::inline study_report::inline parts {

using report::Part;

[[nodiscard]] report::Banner banner_of(const Material& material);

[[nodiscard]] Part evidence_part(const Material& material);
[[nodiscard]] Part design_part(const Material& material);
[[nodiscard]] Part registered_claims_part(const Material& material);
[[nodiscard]] Part family_part(const Material& material);         ///< every variant of three or more
[[nodiscard]] Part pairs_part(const Material& material);          ///< every paired difference
[[nodiscard]] Part distributions_part(const Material& material);  ///< each variant alone
[[nodiscard]] Part curves_part(const Material& material);         ///< metrics during training
[[nodiscard]] Part time_part(const Material& material);           ///< wall time against score
[[nodiscard]] Part sources_part(const Material& material);        ///< shares of the variance, for a study of variance
[[nodiscard]] Part profile_part(const Material& material);        ///< where the time went, for a profile study
[[nodiscard]] Part metrics_part(const Material& material);        ///< every metric of every variant

}  // namespace retrial::harness::inline study_report::inline parts
