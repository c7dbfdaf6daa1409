#pragma once

#include <optional>
#include <string>

#include "harness/study_report/material/material.hpp"
#include "results/report/report.hpp"

/// The parts of a report that say how the study was run: a section for people and the same numbers for programs.
namespace retrial::harness::inline study_report::inline provenance {

using report::Part;

[[nodiscard]] Part failures_part(const Material& material);
[[nodiscard]] Part environment_part(const Material& material);
[[nodiscard]] Part configuration_part(const Material& material);
[[nodiscard]] Part reproduce_part(const Material& material);
[[nodiscard]] Part digests_part(const Material& material);

/// A study file with the same study digest as the stored study. Nothing when this program does not know its workload.
[[nodiscard]] std::optional<std::string> study_file_of(const StudyView& study);

}  // namespace retrial::harness::inline study_report::inline provenance
