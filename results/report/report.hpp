#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "results/json/json.hpp"
#include "results/report/plot.hpp"

/// A finished report: what it says, in the order it says it, as plain data. Renderers compute nothing; every text here
/// is raw, and each renderer escapes it for its own format.
namespace retrial::report {

struct Paragraph {
  std::string text;
};
/// Something the reader must not overlook.
struct Warning {
  std::string text;
};
struct Fact {
  std::string name, value;
};
struct Facts {
  std::vector<Fact> rows;
};
/// Lines to copy or to read letter by letter.
struct Code {
  std::string text;
};
struct TableColumn {
  std::string title;
  bool number = false;  ///< aligned at the right
};
struct Table {
  std::string caption;
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> rows;  ///< as many cells each as there are columns
};
struct Figure {
  std::string title;        ///< what it shows, and of how many
  std::string description;  ///< what a reader sees in it, for those who cannot see it
  Plot plot;
  Table data;         ///< every number that is drawn
  bool open = false;  ///< the numbers are worth as much as the drawing: shown without being asked for
  std::string svg;    ///< filled by draw_figures()
};

using Block = std::variant<Paragraph, Warning, Facts, Code, Table, Figure>;

struct Section {
  std::string id;  ///< [a-z-]+, for links
  std::string title;
  std::vector<Block> blocks;
};

/// One result, made once and shown in every form: a section for people, and the same numbers for programs.
struct Part {
  std::optional<Section> section;  ///< absent: this study has nothing to show there
  Json data;                       ///< joins the document that it is part of
};

/// How the verdict is coloured. The word says the same.
enum class Tone { good, bad, settled, open };

/// What a reader takes away in two seconds.
struct Banner {
  Tone tone = Tone::open;
  std::string before, word, after;  ///< "kd is ", "BETTER", " than scratch"
  std::string subject;              ///< metric, study, workload
  std::string sentence;             ///< the verdict in words
  std::string meaning;              ///< what it means, in one sentence
  std::vector<Fact> facts;          ///< few, short

  [[nodiscard]] std::string headline() const { return before + word + after; }
};

struct Report {
  std::string title;
  std::string date;       ///< UTC; of the data, never of the clock
  std::string generator;  ///< "retrial 0.1.0"
  Banner banner;
  std::vector<Section> sections;
  Json data;  ///< retrial.report/1: the same numbers for programs
};

}  // namespace retrial::report
