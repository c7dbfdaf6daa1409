#pragma once

#include <string>

#include "results/report/report.hpp"

namespace retrial::harness::inline study_report {

/// The report as plain text, 100 columns wide whatever the terminal. It stands here and not with the other renderers
/// because it is laid out by the tables of the terminal pages.
[[nodiscard]] std::string report_text(const report::Report& report);

/// One section of it, without its title.
[[nodiscard]] std::string section_text(const report::Section& section);

}  // namespace retrial::harness::inline study_report
