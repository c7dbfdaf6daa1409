#include "harness/study_report/text.hpp"

#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/report/escape.hpp"

namespace retrial::harness::inline study_report {
namespace {

constexpr std::size_t width = 100;

std::string paragraph(const std::string& text) {
  std::string out;
  for (const auto& line : wrapped(report::cleaned(text), width)) out += line + "\n";
  return out + "\n";
}

std::string table_text(const report::Table& table) {
  std::vector<Column> columns;
  for (const auto& column : table.columns)
    columns.push_back({report::cleaned(column.title), column.number ? Align::right : Align::left});
  TextTable out(columns);
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (const auto& cell : row) cells.push_back(report::cleaned(cell));
    out.add(std::move(cells));
  }
  return out.text(2, width) + "\n";
}

std::string facts_text(const std::vector<report::Fact>& facts) {
  TextTable out({{""}, {""}});
  for (const auto& fact : facts) out.add({report::cleaned(fact.name), report::cleaned(fact.value)});
  return out.text(2, width) + "\n";
}

struct Writer {
  std::string out;

  void operator()(const report::Paragraph& block) { out += paragraph(block.text); }
  void operator()(const report::Warning& block) { out += paragraph("note: " + block.text); }
  void operator()(const report::Facts& block) { out += facts_text(block.rows); }
  void operator()(const report::Code& block) {
    std::string line;
    for (const char c : report::cleaned(block.text, std::string::npos, report::Lines::kept) + "\n") {
      if (c != '\n') {
        line += c;
        continue;
      }
      out += line.empty() ? "\n" : "  " + line + "\n";
      line.clear();
    }
  }
  void operator()(const report::Table& block) {
    if (!block.caption.empty()) out += paragraph(block.caption);
    out += table_text(block);
  }
  /// The numbers of a drawing stand here where they are worth as much; the others are in the formats that can fold
  /// them.
  void operator()(const report::Figure& block) {
    out += paragraph(block.title + ". " + (block.open ? "" : block.description));
    if (block.open)
      out += table_text(block.data);
    else
      out +=
          paragraph("The drawing is in the html form, its " +
                    counted(static_cast<std::int64_t>(block.data.rows.size()), "row") + " of numbers in html and md.");
  }
};

}  // namespace

std::string section_text(const report::Section& section) {
  Writer writer;
  for (const auto& block : section.blocks) std::visit(writer, block);
  return std::move(writer.out);
}

std::string report_text(const report::Report& report) {
  const auto& banner = report.banner;
  Writer writer;
  writer.out = paragraph(banner.headline()) + paragraph(banner.subject) + paragraph(banner.sentence) +
               paragraph(banner.meaning) + facts_text(banner.facts);
  for (const auto& section : report.sections) {
    writer.out += paragraph("== " + section.title + " ==") + section_text(section);
  }
  return writer.out + "Made by " + report::cleaned(report.generator) + "; data of " + report.date + "\n";
}

}  // namespace retrial::harness::inline study_report
