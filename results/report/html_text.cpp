#include "results/report/html_text.hpp"

#include "results/report/drawing/escape.hpp"

namespace retrial::report {

std::string html_words(const std::string& text) {
  std::string out = esc_html(text);
  for (std::size_t at = 0; (at = out.find(" %", at)) != std::string::npos;) out.replace(at, 1, "\xC2\xA0");
  return out;
}

std::string html_element(const std::string& open, const std::string& text, const std::string& name) {
  return "<" + open + ">" + html_words(text) + "</" + name + ">";
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

std::string cell_html(const Cell& cell, const std::string& classes) {
  return html_element(classes.empty() ? "td" : "td class=\"" + classes + "\"", cell, "td");
}

std::string html_folded(const std::string& attributes, const std::string& summary, const std::string& inner) {
  return "<details" + attributes + ">" + html_element("summary", summary, "summary") + "\n" + inner + "</details>";
}

std::string html_scrolling(const std::string& label, const std::string& inner, std::size_t rows) {
  constexpr std::size_t few = 10;
  return "<div class=\"scroll" + std::string(rows > few ? " long" : "") +
         "\" tabindex=\"0\" role=\"region\" aria-label=\"" + esc_html(label) + "\">" + inner + "</div>";
}

}  // namespace retrial::report
