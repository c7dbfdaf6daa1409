#pragma once

#include "harness/study_report/material.hpp"

namespace retrial::harness::inline study_report {

/// The whole report of a study as plain values; figures are described, not yet drawn. Reads the store and the variable
/// SOURCE_DATE_EPOCH, and nothing else: the same store gives the same report in every folder, locale and time zone.
/// Error{usage} for a SOURCE_DATE_EPOCH that is not a number of seconds.
[[nodiscard]] report::Report gather_report(const Material& material);

}  // namespace retrial::harness::inline study_report
