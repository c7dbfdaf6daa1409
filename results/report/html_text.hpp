#pragma once

#include <string>

#include "results/report/report.hpp"

/// Words and elements of the HTML form.
namespace retrial::report {

/// Escaped; keeps "95 %" on one line.
[[nodiscard]] std::string html_words(const std::string& text);

/// "<open>text</name>".
[[nodiscard]] std::string html_element(const std::string& open, const std::string& text, const std::string& name);

/// CSS class; empty for plain.
[[nodiscard]] std::string class_of(Tone tone);

/// A cell of a table.
[[nodiscard]] std::string cell_html(const Cell& cell, const std::string& classes);

/// Behind a line to open.
[[nodiscard]] std::string html_folded(const std::string& attributes, const std::string& summary,
                                      const std::string& inner);

/// A box that scrolls alone, also by keyboard, so that what is wide never widens the page. With many `rows` it has its
/// own height on a phone, too, where a row is a card.
[[nodiscard]] std::string html_scrolling(const std::string& label, const std::string& inner, std::size_t rows = 0);

}  // namespace retrial::report
