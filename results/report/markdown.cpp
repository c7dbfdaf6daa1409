#include <algorithm>

#include "results/report/drawing/escape.hpp"
#include "results/report/render.hpp"

namespace retrial::report {
namespace {

std::string row(const std::vector<Cell>& cells) {
  std::string out = "|";
  for (const auto& cell : cells) out.append(" ").append(esc_markdown(cell)).append(" |");
  return out + "\n";
}

std::string lines_of(const Table& table) {
  std::vector<Cell> titles;
  std::string rule = "|";
  for (const auto& column : table.columns) {
    titles.emplace_back(column.title);
    rule += column.number ? " ---: |" : " --- |";
  }
  std::string out = row(titles) + rule + "\n";
  for (const auto& cells : table.rows) out += row(cells);
  return out;
}

std::string lines_of(const Facts& facts) {
  const bool detailed = facts.detailed();
  std::string out = detailed ? "| | | |\n| --- | --- | --- |\n" : "| | |\n| --- | --- |\n";
  for (const auto& [name, value, detail] : facts.rows)
    out += row(detailed ? std::vector<Cell>{name, value, detail} : std::vector<Cell>{name, value});
  return out;
}

class MarkdownWriter {
 public:
  std::string out;

  void operator()(const Paragraph& paragraph) { block(esc_markdown(paragraph.text)); }
  void operator()(const Warning& warning) {
    block("> **" + esc_markdown(warning.title()) + ":** " + esc_markdown(warning.text));
  }
  void operator()(const List& list) {
    std::string text;
    for (const auto& item : list.items) text += "- " + esc_markdown(item) + "\n";
    block(text);
  }
  void operator()(const Facts& facts) { block(lines_of(facts)); }
  void operator()(const Code& code) {
    const std::string text = cleaned(code.text, std::string::npos, Lines::kept);
    const std::string fence = markdown_fence(text);
    block(fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence);
  }
  void operator()(const Table& table) {
    if (table.folded) return block(folded(table.caption, table));
    if (!table.caption.empty()) block(esc_markdown(table.caption));
    block(lines_of(table));
  }
  /// This format has no drawings, only their numbers.
  void operator()(const Figure& figure) {
    block("**" + esc_markdown(figure.title) + "** " + esc_markdown(figure.description));
    if (figure.data.columns.empty()) return;
    block(figure.open ? lines_of(figure.data) : folded("The numbers of this figure", figure.data));
  }

 private:
  /// Up to the empty line everything is HTML, where no backslash escapes.
  static std::string folded(const std::string& summary, const Table& table) {
    return "<details><summary>" + esc_html(summary) + "</summary>\n\n" + lines_of(table) + "\n</details>";
  }
  void block(const std::string& text) { out += text + (text.ends_with('\n') ? "\n" : "\n\n"); }
};

std::string banner_text(const Banner& banner) {
  std::string out = "# " + esc_markdown(banner.headline()) + "\n\n" +
                    (banner.answers.empty() ? "" : "**" + esc_markdown(banner.answers) + "**\n\n") +
                    esc_markdown(banner.subject) + "\n\n**" + esc_markdown(banner.sentence) + "** " +
                    esc_markdown(banner.meaning) + "\n\n";
  return banner.facts.empty() ? out : out + lines_of(Facts{banner.facts}) + "\n";
}

}  // namespace

std::string markdown(const Section& section) {
  MarkdownWriter writer;
  writer.out = "## " + esc_markdown(section.title + (section.aside.empty() ? "" : " " + section.aside)) + "\n\n";
  for (const auto& block : section.blocks) std::visit(writer, block);
  return writer.out;
}

std::string markdown(const Report& report) {
  std::string out = banner_text(report.banner);
  for (const auto& section : report.sections) out += markdown(section);
  return out + "---\n\n" + esc_markdown("Made by " + report.generator + "; data of " + report.date + ".") + "\n";
}

}  // namespace retrial::report
