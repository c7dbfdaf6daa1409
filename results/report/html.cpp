#include <algorithm>

#include "results/report/escape.hpp"
#include "results/report/render.hpp"

namespace retrial::report {
namespace {

/// Keeps "95 %" on one line.
std::string words(const std::string& text) {
  std::string out = esc_html(text);
  for (std::size_t at = 0; (at = out.find(" %", at)) != std::string::npos;) out.replace(at, 1, "\xC2\xA0");
  return out;
}

std::string element(const std::string& open, const std::string& text, const std::string& name) {
  return "<" + open + ">" + words(text) + "</" + name + ">";
}

std::string class_of(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return "";
    case Tone::good:
      return "good";
    case Tone::bad:
      return "bad";
    case Tone::settled:
      return "settled";
    case Tone::open:
      return "open";
  }
  return "";
}

std::string head(const Report& report) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         // First of all: nothing may be loaded, run, sent or framed.
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
         "base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"" +
         esc_html(report.generator) + "\">\n" + element("title", report.title, "title") + "\n<style>" + html_style() +
         "</style>\n</head>\n";
}

std::string tiles(const std::vector<Fact>& facts) {
  if (facts.empty()) return "";
  std::string out = "<dl class=\"tiles\">";
  for (const auto& fact : facts)
    out += "<div>" + element("dt", cleaned(fact.name, longest_in_figure), "dt") + element("dd", fact.value, "dd") +
           "</div>";
  return out + "</dl>\n";
}

std::string paragraph(const std::string& name, const std::string& text) {
  return text.empty() ? "" : element("p class=\"" + name + "\"", text, "p") + "\n";
}

std::string banner_html(const Banner& banner) {
  return "<header class=\"banner " + class_of(banner.tone) + "\">\n" + paragraph("kicker", "retrial report") + "<h1>" +
         esc_html(banner.before) + "<strong>" + esc_html(banner.word) + "</strong>" + esc_html(banner.after) +
         "</h1>\n" + paragraph("answers", banner.answers) + paragraph("subject", banner.subject) +
         paragraph("sentence", banner.sentence) + paragraph("meaning", banner.meaning) + tiles(banner.facts) +
         "</header>\n";
}

std::string contents(const std::vector<Section>& sections) {
  std::string out = "<nav aria-label=\"Contents\"><ol>";
  for (const auto& section : sections)
    out += "<li><a href=\"#" + section.id + "\">" + esc_html(section.title) + "</a></li>";
  return out + "</ol></nav>\n";
}

/// A box that scrolls alone, also by keyboard, so that a wide table never widens the page.
std::string scrolling(const std::string& label, const std::string& inner) {
  return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + esc_html(label) + "\">" + inner +
         "</div>";
}

std::string cell_html(const Cell& cell, bool number) {
  std::string name = number ? "n" : "";
  if (cell.tone != Tone::plain) name += (name.empty() ? "" : " ") + class_of(cell.tone);
  return element(name.empty() ? "td" : "td class=\"" + name + "\"", cell, "td");
}

std::string titles_html(const Table& table) {
  if (std::ranges::all_of(table.columns, &std::string::empty, &TableColumn::title)) return "";
  std::string out = "<thead><tr>";
  for (const auto& column : table.columns)
    out += element(column.number ? "th scope=\"col\" class=\"n\"" : "th scope=\"col\"", column.title, "th");
  return out + "</tr></thead>\n";
}

std::string table_html(const Table& table, const std::string& label) {
  // The caption is for screen readers. A visible caption would be as wide as the table and scroll away with it, so
  // sighted readers get a paragraph above.
  std::string out =
      table.caption.empty() ? "" : element("p class=\"caption\" aria-hidden=\"true\"", table.caption, "p") + "\n";
  std::string rows =
      "<table>" + element("caption class=\"heard\"", label, "caption") + titles_html(table) + "<tbody>\n";
  for (const auto& row : table.rows) {
    rows += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) rows += cell_html(row[i], table.columns[i].number);
    rows += "</tr>\n";
  }
  return out + scrolling(label, rows + "</tbody></table>");
}

class HtmlWriter {
 public:
  explicit HtmlWriter(std::string title) : title_(std::move(title)) {}
  std::string out;

  void operator()(const Paragraph& paragraph) { out += element("p", paragraph.text, "p") + "\n"; }
  void operator()(const Warning& warning) {
    out += "<p class=\"warning\">" + element("b", warning.title(), "b") + " " + words(warning.text) + "</p>\n";
  }
  void operator()(const List& list) {
    out += "<ul>\n";
    for (const auto& item : list.items) out += element("li", item, "li") + "\n";
    out += "</ul>\n";
  }
  void operator()(const Facts& facts) {
    std::string table = "<table class=\"facts\"><tbody>\n";
    for (const auto& fact : facts.rows)
      table += "<tr>" + element("th scope=\"row\"", fact.name, "th") + cell_html(fact.value, false) +
               (facts.detailed() ? element("td", fact.detail, "td") : "") + "</tr>\n";
    out += scrolling(title_, table + "</tbody></table>") + "\n";
  }
  void operator()(const Code& code) {
    out += scrolling(title_, "<pre>" + esc_html(code.text, std::string::npos, Lines::kept) + "</pre>") + "\n";
  }
  void operator()(const Table& table) {
    out += table_html(table, table.caption.empty() ? title_ : table.caption) + "\n";
  }
  void operator()(const Figure& figure) {
    out += "<figure>\n<div class=\"plot\">" + figure.svg + "</div>\n<figcaption><b>" + words(figure.title) +
           "</b> <span>" + words(figure.description) + "</span></figcaption>\n<details" + (figure.open ? " open" : "") +
           "><summary>The numbers of this figure</summary>\n" +
           table_html(figure.data, "The numbers of: " + figure.title) + "</details>\n</figure>\n";
  }

 private:
  std::string title_;
};

std::string section_html(const Section& section) {
  HtmlWriter writer(section.title);
  for (const auto& block : section.blocks) std::visit(writer, block);
  const std::string aside = section.aside.empty() ? "" : " " + element("small", section.aside, "small");
  return "<section id=\"" + section.id + "\">\n<h2>" + words(section.title) + aside + "</h2>\n" + writer.out +
         "</section>\n";
}

}  // namespace

std::string html(const Report& report) {
  std::string out = head(report) + "<body>\n<main>\n" + banner_html(report.banner) + contents(report.sections);
  for (const auto& section : report.sections) out += section_html(section);
  return out + "<footer>" + esc_html("Made by " + report.generator + " from data of " + report.date + ". ") +
         esc_html(
             "The same data give the same bytes. This file loads nothing and runs nothing; the data are embedded "
             "as JSON (id=\"data\").") +
         "</footer>\n</main>\n<script type=\"application/json\" id=\"data\">" +
         esc_json_in_html(results::printed(report.data)) + "</script>\n</body>\n</html>\n";
}

}  // namespace retrial::report
