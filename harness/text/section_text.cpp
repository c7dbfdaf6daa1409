#include "harness/text/section_text.hpp"

#include <sstream>

#include "harness/text/colour.hpp"
#include "harness/text/table.hpp"
#include "results/report/drawing/escape.hpp"

namespace retrial::harness::inline text {
namespace {

using report::cleaned;

/// Emphasis follows cleaning, which would take its escape sequences for harm.
std::string toned(const std::string& text, report::Tone tone, const TextForm& form) {
  if (!form.emphasis || text.empty()) return text;
  switch (tone) {
    case report::Tone::plain:
    case report::Tone::settled:
      return text;
    case report::Tone::good:
      return green(text);
    case report::Tone::bad:
      return red(text);
    case report::Tone::open:
      return yellow(text);
  }
  return text;
}

std::string strong(const std::string& text, const TextForm& form) {
  return form.emphasis && !text.empty() ? bold(text) : text;
}

/// Lines after the first are indented.
std::string hanging(const std::string& text, std::size_t indent, const TextForm& form) {
  std::string out;
  for (const auto& line : wrapped(text, form.width - indent))
    out += std::string(out.empty() ? 0 : indent, ' ') + line + "\n";
  return out;
}

std::string paragraph_text(const std::string& text, const TextForm& form) {
  return hanging(cleaned(text), 0, form);
}

std::string table_text(const report::Table& table, const TextForm& form) {
  std::vector<Column> columns;
  for (const auto& column : table.columns)
    columns.push_back({cleaned(column.title), column.number ? Align::right : Align::left, column.names});
  TextTable out(columns);
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (const auto& cell : row) cells.push_back(toned(cleaned(cell), cell.tone, form));
    out.add(std::move(cells));
  }
  return out.text(2, form.width);
}

std::string facts_text(const std::vector<report::Fact>& facts, const TextForm& form) {
  TextTable out({{""}, {""}, {""}});
  for (const auto& fact : facts)
    out.add({cleaned(fact.name), toned(cleaned(fact.value), fact.value.tone, form), cleaned(fact.detail)});
  return out.text(2, form.width);
}

struct Writer {
  const TextForm& form;

  std::string operator()(const report::Paragraph& block) const { return paragraph_text(block.text, form); }
  std::string operator()(const report::Warning& block) const {
    return hanging(block.label + ": " + cleaned(block.text), 2, form);
  }
  std::string operator()(const report::List& block) const {
    std::string out;
    for (const auto& item : block.items) {
      std::string lines;
      for (const auto& line : broken("- " + cleaned(item), form.width - 4))
        lines += std::string(lines.empty() ? 2 : 4, ' ') + line + "\n";
      out += lines;
    }
    return out;
  }
  std::string operator()(const report::Facts& block) const { return facts_text(block.rows, form); }
  std::string operator()(const report::Code& block) const {
    const std::string text = cleaned(block.text, std::string::npos, report::Lines::kept);
    std::istringstream lines(text.substr(0, text.find_last_not_of('\n') + 1));
    std::string out;
    for (std::string line; std::getline(lines, line);) out += (line.empty() ? "" : "  ") + line + "\n";
    return out;
  }
  std::string operator()(const report::Table& block) const {
    return (block.caption.empty() ? "" : paragraph_text(block.caption, form)) + table_text(block, form);
  }
  /// The formats that can fold numbers have those of every drawing.
  std::string operator()(const report::Figure& block) const {
    const std::string& caption = block.data.caption;
    if (block.open)
      return paragraph_text(block.title + "." + (caption.empty() ? "" : " " + caption), form) +
             table_text(block.data, form);
    return paragraph_text(block.title + ". " + block.description + " See the HTML report for the figure.", form);
  }
};

bool both_warn(const report::Block& a, const report::Block& b) {
  return std::holds_alternative<report::Warning>(a) && std::holds_alternative<report::Warning>(b);
}

}  // namespace

TextForm terminal_form() {
  return {.width = terminal_width(), .emphasis = true};
}

std::string banner_text(const report::Banner& banner, const TextForm& form) {
  std::string out = strong(cleaned(banner.before), form) +
                    strong(toned(cleaned(banner.word), banner.tone, form), form) + strong(cleaned(banner.after), form) +
                    "\n";
  if (!banner.answers.empty()) out += paragraph_text(banner.answers, form);
  if (!banner.subject.empty()) out += paragraph_text(banner.subject, form);
  if (!banner.sentence.empty()) out += "\n" + paragraph_text(banner.sentence, form);
  if (!banner.meaning.empty()) out += paragraph_text(banner.meaning, form);
  return banner.facts.empty() ? out : out + "\n" + facts_text(banner.facts, form);
}

std::string blocks_text(const std::vector<report::Block>& blocks, const TextForm& form) {
  std::string out;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    out += (i == 0 || both_warn(blocks[i - 1], blocks[i]) ? "" : "\n") + std::visit(Writer{form}, blocks[i]);
  return out;
}

std::string section_text(const report::Section& section, const TextForm& form) {
  if (section.title.empty()) return blocks_text(section.blocks, form);
  return strong(cleaned(section.title), form) + (section.aside.empty() ? "" : " " + cleaned(section.aside)) + "\n" +
         blocks_text(section.blocks, form);
}

std::string sections_text(const std::vector<report::Section>& sections, const TextForm& form) {
  std::string out;
  for (const auto& section : sections) {
    const std::string text = section_text(section, form);
    out += (out.empty() || text.empty() ? "" : "\n") + text;
  }
  return out;
}

}  // namespace retrial::harness::inline text
