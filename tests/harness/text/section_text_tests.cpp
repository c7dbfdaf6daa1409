// The plain-text form of banners and sections.
#include "harness/text/colour.hpp"
#include "harness/text/section_text.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::section_text_tests {

using namespace retrial;
using harness::TextForm;

namespace {

report::Section section() {
  report::Section out{.id = "rows", .title = "Rows", .aside = "(two)", .blocks = {}};
  out.blocks.emplace_back(
      report::Table{.caption = "Claims.", .columns = {{"claim"}, {"p", true}}, .rows = {{"a", "0.5"}, {"long", "1"}}});
  out.blocks.emplace_back(report::Facts{{{"size", "3 %", "of all"}, {"n", {"good", report::Tone::good}}}});
  out.blocks.emplace_back(report::List{{"one", "two"}});
  out.blocks.emplace_back(report::Warning{"few pairs", "warning"});
  out.blocks.emplace_back(report::Warning{"coarse"});
  return out;
}

}  // namespace

TEST_CASE("blocks are parted by an empty line, warnings are not", "[text]") {
  CHECK(harness::section_text(section(), TextForm{}) ==
        "Rows (two)\n"
        "Claims.\n"
        "  claim    p\n"
        "  a      0.5\n"
        "  long   1\n"
        "\n"
        "  size  3 %   of all\n"
        "  n     good\n"
        "\n"
        "  - one\n"
        "  - two\n"
        "\n"
        "warning: few pairs\n"
        "note: coarse\n");
}

TEST_CASE("a section without a title is its blocks, and an empty one adds no line", "[text]") {
  report::Section plain{.id = "x", .title = "", .blocks = {report::Paragraph{"text"}}};
  const report::Section empty{.id = "y", .title = "", .blocks = {}};
  CHECK(harness::sections_text({plain, empty, plain}, TextForm{}) == "text\n\ntext\n");
}

TEST_CASE("long warnings and items hang, and no line is wider than the form", "[text]") {
  const report::Section out{
      .id = "x", .title = "", .blocks = {report::Warning{"one two three four"}, report::List{{"one two three"}}}};
  CHECK(harness::section_text(out, TextForm{.width = 14, .emphasis = false}) ==
        "note: one\n  two three\n  four\n\n  - one two\n    three\n");
}

TEST_CASE("a banner is headline, answers and subject, sentence, meaning and facts", "[text]") {
  const report::Banner banner{.tone = report::Tone::good,
                              .before = "kd is ",
                              .word = "BETTER",
                              .after = " than ce",
                              .answers = "real: yes",
                              .subject = "by accuracy",
                              .sentence = "kd beat ce.",
                              .meaning = "",
                              .facts = {{"pairs", "5"}}};
  CHECK(harness::banner_text(banner, TextForm{}) ==
        "kd is BETTER than ce\nreal: yes\nby accuracy\n\nkd beat ce.\n\n  pairs  5\n");
}

TEST_CASE("emphasis needs colour on the output, and its sequences are never cleaned away", "[text]") {
  harness::set_colour(harness::Colour::always);
  const std::string text = harness::section_text(section(), {.width = 100, .emphasis = true});
  const std::string plain = harness::section_text(section(), TextForm{});
  harness::set_colour(harness::Colour::automatic);
  CHECK_THAT(text, has_text("\x1b[1mRows\x1b[0m (two)\n") && has_text("\x1b[32mgood\x1b[0m"));
  CHECK_THAT(plain, !has_text("\x1b["));
}

}  // namespace retrial::tests::section_text_tests
