#pragma once

#include <string>

#include "results/report/report.hpp"

namespace retrial::harness::inline study_report {

/// The report as plain text, 100 columns wide whatever the terminal.
[[nodiscard]] std::string report_text(const report::Report& report);

}  // namespace retrial::harness::inline study_report
