#include "harness/study_report/text.hpp"

#include "harness/text/section_text.hpp"
#include "results/report/escape.hpp"

namespace retrial::harness::inline study_report {

std::string report_text(const report::Report& report) {
  constexpr TextForm form{.width = 100, .emphasis = false};
  std::string out = banner_text(report.banner, form);
  for (const auto& section : report.sections) {
    const std::string title = section.title + (section.aside.empty() ? "" : " " + section.aside);
    out += "\n== " + report::cleaned(title) + " ==\n\n" + blocks_text(section.blocks, form);
  }
  return out + "\nMade by " + report::cleaned(report.generator) + "; data of " + report.date + "\n";
}

}  // namespace retrial::harness::inline study_report
