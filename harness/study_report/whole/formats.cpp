#include "harness/study_report/whole/formats.hpp"

#include <algorithm>
#include <filesystem>

#include "harness/text/section_text.hpp"
#include "results/report/drawing/escape.hpp"
#include "results/report/render.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study_report::inline whole {
namespace {

/// 100 columns wide whatever the terminal.
std::string plain_text(const report::Report& report) {
  constexpr TextForm form{.width = 100, .emphasis = false};
  std::string out = banner_text(report.banner, form);
  for (const auto& section : report.sections) {
    const std::string title = section.title + (section.aside.empty() ? "" : " " + section.aside);
    out += "\n== " + report::cleaned(title) + " ==\n\n" + blocks_text(section.blocks, form);
  }
  return out + "\nMade by " + report::cleaned(report.generator) + "; data of " + report.date + "\n";
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& format : report_formats()) out.push_back(format.name);
  return out;
}

const ReportFormat* named(const std::string& name) {
  const auto& all = report_formats();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// Standard output has no extension.
const ReportFormat* of_ending(const std::optional<std::string>& file) {
  if (!file || *file == "-") return nullptr;
  const std::string ending = std::filesystem::path(*file).extension().string();
  if (const auto* format = named(ending.substr(std::min<std::size_t>(1, ending.size())))) return format;
  const auto near = results::nearest(ending.substr(std::min<std::size_t>(1, ending.size())), names());
  throw Error({.code = "report.format",
               .field = "-o",
               .value = results::one_line(*file, 200),
               .problem = "its extension names no format",
               .allowed = "." + results::joined(names(), ", ."),
               .help = near ? "did you mean ." + *near + "?" : ""});
}

}  // namespace

const std::vector<ReportFormat>& report_formats() {
  static const std::vector<ReportFormat> formats{
      {.name = "html", .meaning = "one file for a browser, with figures", .draws = true, .render = report::html},
      {.name = "md", .meaning = "Markdown", .render = report::markdown},
      {.name = "json",
       .meaning = "schema retrial.report/1",
       .render = [](const report::Report& report) { return results::printed(report.data); }},
      {.name = "txt", .meaning = "plain text", .render = plain_text}};
  return formats;
}

const ReportFormat& chosen_format(const std::optional<std::string>& name, const std::optional<std::string>& file) {
  const ReportFormat* by_ending = of_ending(file);
  const ReportFormat* by_name = name ? named(*name) : nullptr;
  if (by_name != nullptr && by_ending != nullptr && by_name != by_ending)
    throw Error({.code = "report.format",
                 .field = "--format",
                 .value = *name,
                 .problem = "contradicts the extension of " + results::one_line(*file, 200),
                 .allowed = by_ending->name,
                 .help = "omit --format, or give the file another extension"});
  if (by_name != nullptr) return *by_name;
  return by_ending != nullptr ? *by_ending : *named("txt");
}

}  // namespace retrial::harness::inline study_report::inline whole
