#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/report/report.hpp"

namespace retrial::harness::inline study_report {

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

}  // namespace retrial::harness::inline study_report
