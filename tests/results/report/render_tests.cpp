// The renderers escape every text they are given: a page of hostile names has the elements of a page of plain ones.
#include <utility>

#include "results/report/render.hpp"
#include "tests/catch.hpp"
#include "tests/results/report/hostile_names.hpp"
#include "tests/results/report/page_elements.hpp"

namespace retrial::tests::render_tests {

using namespace retrial::report;
using retrial::fixture::elements;

namespace {

/// A report in which every text is `name`.
Report report_of(const std::string& name) {
  Report out{.title = name, .date = name, .generator = name, .banner = {}, .sections = {}, .data = {{"name", name}}};
  out.banner = {.before = name,
                .word = name,
                .after = name,
                .answers = name,
                .subject = name,
                .sentence = name,
                .meaning = name,
                .facts = {{name, name}}};
  const Table table{.caption = name, .columns = {{name, true}, {name}}, .rows = {{"0.5", {name, Tone::good}}}};
  out.sections.push_back({.id = "all", .title = name, .aside = name, .blocks = {}});
  auto& blocks = out.sections.back().blocks;
  blocks.emplace_back(Paragraph{name});
  blocks.emplace_back(Warning{name});
  blocks.emplace_back(Facts{{{name, name, name}}});
  blocks.emplace_back(Code{name});
  blocks.emplace_back(List{{name, name}});
  blocks.emplace_back(table);
  // Eight columns become cards: their titles are in the style sheet.
  blocks.emplace_back(Table{.caption = "settings",
                            .columns = std::vector<TableColumn>(8, {name, true}),
                            .rows = {std::vector<Cell>(8, {"0.123456789"})},
                            .folded = true});
  blocks.emplace_back(Figure{.title = name, .description = name, .plot = {}, .data = table, .svg = "<svg></svg>"});
  return out;
}

}  // namespace

TEST_CASE("a page of hostile names has the elements of a page of plain ones", "[report]") {
  const auto plain = elements(html(report_of("kd")));
  CHECK(plain.size() > 40);
  for (const auto& name : retrial::fixture::hostile_names()) {
    if (name.empty() || name.find('\xFF') != std::string::npos) continue;  // a store refuses both as names
    CAPTURE(name);
    CHECK(elements(html(report_of(name))) == plain);
  }
}

TEST_CASE("the comparison of elements sees an element that is not escaped", "[report]") {
  Report planted = report_of("kd");
  std::get<Figure>(planted.sections[0].blocks.back()).svg = "<svg><b></b></svg>";  // the one part that is not text
  CHECK(elements(html(planted)) != elements(html(report_of("kd"))));
}

TEST_CASE("a Markdown table keeps its number of cells whatever they contain", "[report]") {
  const auto bars = [](const std::string& text) {
    std::vector<std::size_t> out;
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '\\')
        ++at;
      else if (text[at] == '|')
        ++count;
      else if (text[at] == '\n')
        out.push_back(std::exchange(count, 0));
    }
    return out;
  };
  const auto plain = bars(markdown(report_of("kd")));
  for (const auto& name : retrial::fixture::hostile_names()) {
    // A code block keeps bars and lines, and its fence may be longer: that is what it is for.
    if (name.empty() || name.find('\xFF') != std::string::npos || name.find('\n') != std::string::npos) continue;
    Report report = report_of(name);
    report.sections[0].blocks[3] = Code{"kd"};
    CAPTURE(name);
    CHECK(bars(markdown(report)) == plain);
  }
}

}  // namespace retrial::tests::render_tests
