#include <algorithm>

#include "results/report/drawing/escape.hpp"
#include "results/report/html_tables.hpp"
#include "results/report/html_text.hpp"
#include "results/report/render.hpp"

namespace retrial::report {
namespace {

std::string head(const Report& report, const std::string& more_style) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         // First of all: nothing may be loaded, run, sent or framed.
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
         "base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"" +
         esc_html(report.generator) + "\">\n" + html_element("title", report.title, "title") + "\n<style>" +
         html_style() + more_style + "</style>\n</head>\n";
}

std::string tiles(const std::vector<Fact>& facts) {
  if (facts.empty()) return "";
  std::string out = "<dl class=\"tiles\">";
  for (const auto& fact : facts)
    out += "<div>" + html_element("dt", cleaned(fact.name, longest_in_figure), "dt") +
           html_element("dd", fact.value, "dd") +
           (fact.detail.empty() ? "" : html_element("dd class=\"detail\"", fact.detail, "dd")) + "</div>";
  return out + "</dl>\n";
}

std::string paragraph(const std::string& name, const std::string& text) {
  return text.empty() ? "" : html_element("p class=\"" + name + "\"", text, "p") + "\n";
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

/// Rows that do not fit on a screen are announced.
std::string numbers_title(std::size_t rows) {
  constexpr std::size_t few = 20;
  return "The numbers of this figure" + (rows > few ? ", " + std::to_string(rows) + " rows" : std::string());
}

class HtmlWriter {
 public:
  HtmlWriter(std::string title, HtmlTables& tables) : title_(std::move(title)), tables_(tables) {}
  std::string out;

  void operator()(const Paragraph& paragraph) { out += html_element("p", paragraph.text, "p") + "\n"; }
  void operator()(const Warning& warning) {
    out +=
        "<p class=\"warning\">" + html_element("b", warning.title(), "b") + " " + html_words(warning.text) + "</p>\n";
  }
  void operator()(const List& list) {
    out += "<ul>\n";
    for (const auto& item : list.items) out += html_element("li", item, "li") + "\n";
    out += "</ul>\n";
  }
  void operator()(const Facts& facts) {
    std::string table = std::string("<table class=\"facts") + (facts.detailed() ? " detailed" : "") + "\"><tbody>\n";
    for (const auto& fact : facts.rows)
      table += "<tr>" + html_element("th scope=\"row\"", fact.name, "th") +
               cell_html(fact.value, class_of(fact.value.tone)) +
               (facts.detailed() ? html_element("td", fact.detail, "td") : "") + "</tr>\n";
    out += html_scrolling(title_, table + "</tbody></table>", facts.rows.size()) + "\n";
  }
  void operator()(const Code& code) {
    constexpr std::ptrdiff_t many = 40;
    const std::string text = "<pre>" + esc_html(code.text, std::string::npos, Lines::kept) + "</pre>";
    const auto lines = std::ranges::count(code.text, '\n');
    out += (lines > many ? html_scrolling(title_, text, static_cast<std::size_t>(lines)) : text) + "\n";
  }
  void operator()(const Table& table) {
    const std::string text = tables_.table(table, table.caption.empty() ? title_ : table.caption) + "\n";
    out += table.folded ? html_folded(" class=\"settings\"", table.caption, text) + "\n" : text;
  }
  void operator()(const Figure& figure) {
    out += "<figure>\n<div class=\"plot\">" + figure.svg + "</div>\n<figcaption><b>" + html_words(figure.title) +
           "</b> <span>" + html_words(figure.description) + "</span></figcaption>\n";
    if (!figure.data.columns.empty())
      out += html_folded(figure.open ? " open" : "", numbers_title(figure.data.rows.size()),
                         tables_.table(figure.data, "The numbers of: " + figure.title)) +
             "\n";
    out += "</figure>\n";
  }

 private:
  std::string title_;
  HtmlTables& tables_;
};

std::string section_html(const Section& section, HtmlTables& tables) {
  HtmlWriter writer(section.title, tables);
  for (const auto& block : section.blocks) std::visit(writer, block);
  const std::string aside = section.aside.empty() ? "" : " " + html_element("small", section.aside, "small");
  return "<section id=\"" + section.id + "\">\n<h2>" + html_words(section.title) + aside + "</h2>\n" + writer.out +
         "</section>\n";
}

std::string footer_text(const Report& report) {
  return "Made by " + report.generator + " from data of " + report.date +
         ". The same data give the same bytes. This file loads nothing and runs nothing; the data are embedded as "
         "JSON (id=\"data\")" +
         (report.data.contains("left_out") ? ", except those listed in its member left_out" : "") + ".";
}

}  // namespace

std::string html(const Report& report) {
  HtmlTables tables;
  std::string body = "<body>\n<main>\n" + banner_html(report.banner) + contents(report.sections);
  for (const auto& section : report.sections) body += section_html(section, tables);
  return head(report, tables.style()) + body + html_element("footer", footer_text(report), "footer") +
         "\n</main>\n<script type=\"application/json\" id=\"data\">" + esc_json_in_html(results::printed(report.data)) +
         "</script>\n</body>\n</html>\n";
}

}  // namespace retrial::report
