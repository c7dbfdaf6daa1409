#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/study_report/material/material.hpp"

namespace retrial::harness::inline study_report::inline whole {

/// The whole report of a study; figures are described, not yet drawn. Reads the store and the variable
/// SOURCE_DATE_EPOCH only: the same store gives the same report in every folder, locale and time zone. Error{usage} for
/// a SOURCE_DATE_EPOCH that is not a number of seconds.
[[nodiscard]] report::Report gather_report(const Material& material);

/// An output format of reports.
struct ReportFormat {
  std::string name;  ///< for --format, and the file's extension
  std::string meaning;
  bool draws = false;  ///< figures must be drawn first
  std::string (*render)(const report::Report&) = nullptr;
};

/// A format is one file with a function and one row here.
[[nodiscard]] const std::vector<ReportFormat>& report_formats();

/// The format named by --format, else by the file's extension, else text. Error{usage} for an extension that names no
/// format, and for a --format that contradicts the extension.
[[nodiscard]] const ReportFormat& chosen_format(const std::optional<std::string>& name,
                                                const std::optional<std::string>& file);

}  // namespace retrial::harness::inline study_report::inline whole
