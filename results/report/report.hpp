#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "results/json/json.hpp"
#include "results/report/drawing/plot.hpp"

/// A finished report as plain data, in order. Renderers compute nothing; every text here is raw, and each renderer
/// escapes it for its own format.
namespace retrial::report {

/// The color of a word: good news, bad news, settled without a winner, undecided. Color only repeats the word.
enum class Tone { plain, good, bad, settled, open };

/// The text of a table cell, with a tone where it is a verdict.
struct Cell : std::string {
  Cell(std::string text, Tone of_text = Tone::plain) : std::string(std::move(text)), tone(of_text) {}
  Cell(const char* text) : std::string(text) {}

  Tone tone = Tone::plain;
};

struct Paragraph {
  std::string text;
};
/// A remark that the reader must not overlook.
struct Warning {
  std::string text;
  std::string label = "note";  ///< "warning", "not declared": lower case, ASCII

  /// "Note".
  [[nodiscard]] std::string title() const { return char(label.at(0) - 'a' + 'A') + label.substr(1); }
};
struct List {
  std::vector<std::string> items;
};
struct Fact {
  std::string name;
  Cell value;
  std::string detail = {};  ///< interval, method, reason: read after the value
};
struct Facts {
  std::vector<Fact> rows;

  [[nodiscard]] bool detailed() const {
    return std::ranges::any_of(rows, [](const Fact& f) { return !f.detail.empty(); });
  }
};
/// Lines to copy, or to read letter by letter.
struct Code {
  std::string text;
};
struct TableColumn {
  TableColumn(std::string text, bool is_number = false) : title(std::move(text)), number(is_number) {}
  TableColumn(const char* text, bool is_number = false) : title(text), number(is_number) {}

  std::string title;
  bool number;         ///< aligned at the right
  bool names = false;  ///< names of any length: they are broken rather than make a page of text too wide
};
/// A column of names that are not ours.
[[nodiscard]] inline TableColumn names(std::string title, bool is_number = false) {
  TableColumn out(std::move(title), is_number);
  out.names = true;
  return out;
}
/// A column of numbers.
[[nodiscard]] inline TableColumn right(std::string title) {
  return {std::move(title), true};
}
struct Table {
  std::string caption = {};
  std::vector<TableColumn> columns = {};
  std::vector<std::vector<Cell>> rows = {};  ///< as many cells each as there are columns
  bool folded = false;  ///< settings: a form that can fold shows the caption alone, and paper has no more
};
struct Figure {
  std::string title;        ///< subject and sample size
  std::string description;  ///< the content in words, also for readers who cannot see it
  Plot plot;
  Table data = {};       ///< every number that is drawn; without columns: in the figure or table below
  bool open = false;     ///< the numbers are worth as much as the drawing: shown without being asked for
  std::string svg = {};  ///< filled by draw_figures()
};

using Block = std::variant<Paragraph, Warning, List, Facts, Code, Table, Figure>;

struct Section {
  std::string id;          ///< [a-z-]+, for links
  std::string title;       ///< empty: the blocks alone
  std::string aside = {};  ///< follows the title in its line, less loud: "(declared before the first run)"
  std::vector<Block> blocks = {};
};

/// One result, made once and shown in every form: a section for people, and the same numbers for programs.
struct Part {
  std::optional<Section> section;  ///< absent: this study has nothing to show there
  Json data;                       ///< joins the document that it is part of
};

/// The result in two seconds.
struct Banner {
  Tone tone = Tone::open;
  std::string before, word, after;  ///< "kd is ", "BETTER", " than scratch"
  std::string answers;              ///< the questions of the verdict, answered one by one; may be empty, like all below
  std::string subject;              ///< metric, study, workload
  std::string sentence;             ///< the verdict in words
  std::string meaning;              ///< the consequence, in one sentence
  std::vector<Fact> facts;          ///< few, short

  [[nodiscard]] std::string headline() const { return before + word + after; }
};

struct Report {
  std::string title;
  std::string date;       ///< UTC, from the data, never from the clock
  std::string generator;  ///< "retrial 0.1.0"
  Banner banner;
  std::vector<Section> sections;
  Json data;  ///< retrial.report/1: the same numbers for programs
};

}  // namespace retrial::report
