#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/report/report.hpp"

namespace retrial::harness::inline study_report {

/// A form in which a report can be written.
struct ReportFormat {
  std::string name;  ///< of --format, and the ending of the file
  std::string meaning;
  bool draws = false;  ///< figures have to be drawn first
  std::string (*render)(const report::Report&) = nullptr;
};

/// A format is one file with a function, and one row here.
[[nodiscard]] const std::vector<ReportFormat>& report_formats();

/// The format that --format names, else the one of the file's ending, else text. Error{usage} naming what there is for
/// an ending that is none, and for a --format that contradicts the ending.
[[nodiscard]] const ReportFormat& chosen_format(const std::optional<std::string>& name,
                                                const std::optional<std::string>& file);

}  // namespace retrial::harness::inline study_report
