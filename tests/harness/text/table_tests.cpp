// Tables, wrapping and the texts of numbers.
#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::text_table_tests {

using namespace retrial::harness;

TEST_CASE("columns are as wide as their widest cell and nothing trails", "[table]") {
  TextTable table({{"name"}, {"n", Align::right}, {"note"}});
  table.add({"kd", "7", "x"});
  table.add({"scratch", "120", ""});
  CHECK(table.text(2) == "  name       n  note\n  kd         7  x\n  scratch  120\n");
}

TEST_CASE("cells are counted in columns of the terminal, not in bytes", "[table]") {
  CHECK(display_width("\xc3\xa4\xc3\xb6") == 2);          // ä ö: two letters, four bytes
  CHECK(display_width("e\xcc\x81") == 1);                 // e and a combining acute accent (U+0301)
  CHECK(display_width("\xe6\x97\xa5\xe6\x9c\xac") == 4);  // two wide characters (U+65E5 U+672C)
  CHECK(display_width("\x1b[1mbold\x1b[0m") == 4);
  CHECK(display_width("\xff\xfe") == 2);  // no UTF-8: each byte counts
  TextTable table({{"a"}, {"b"}});
  table.add({"\xc3\xa4", "x"});
  table.add({"zz", "y"});
  CHECK(table.text() == "a   b\n\xc3\xa4   x\nzz  y\n");
}

TEST_CASE("a terminal obeys no cell, but the colors that are our own") {
  const std::string cell = "\x1b]0;title\x07 \x1b[31mred\x1b[0m \xC2\x9B\xE2\x80\xAE";
  const auto shown = [&](Colour when) {
    set_colour(when);
    TextTable table({{""}});
    table.add({cell});
    set_colour(Colour::automatic);
    return table.text();
  };
  const std::string gone = "\xEF\xBF\xBD";
  CHECK(shown(Colour::never) ==
        gone + "]0;title" + gone + " " + gone + "[31mred" + gone + "[0m " + gone + "[U+202E]\n");
  CHECK(shown(Colour::always) == gone + "]0;title" + gone + " \x1b[31mred\x1b[0m " + gone + "[U+202E]\n");
}

TEST_CASE("decimal points of a column at the right are below each other, other cells end at its right", "[table]") {
  TextTable table({{"name"}, {"mean", Align::right}, {"interval", Align::right}, {"p", Align::right}});
  table.add({"a", "12", "[-1.45, -0.7914]", "0.25"});
  table.add({"b", "0.0155", "[-1.364, 0.7]", "< 1e-16"});
  table.add({"c", "-1.5 of 3", "", "reference"});
  table.add({"d", "4.1e-08", "[1, 2]", "-"});
  CHECK(table.text() ==
        "name       mean          interval          p\n"
        "a      12        [-1.45, -0.7914]     0.25\n"
        "b       0.0155   [-1.364, 0.7]      < 1e-16\n"
        "c     -1.5 of 3                    reference\n"
        "d       4.1e-08       [1, 2]               -\n");
}

TEST_CASE("a table without titles prints none", "[table]") {
  TextTable table({{""}, {""}});
  table.add({"size", "12"});
  CHECK(table.text(2) == "  size  12\n");
}

TEST_CASE("a column that is too wide continues under itself", "[table]") {
  TextTable table({{"k"}, {"meaning"}});
  table.add({"a", "one two three four five six seven"});
  CHECK(table.text(0, 30) == "k  meaning\na  one two three four five six\n   seven\n");
}

TEST_CASE("the widest columns give way first, numbers never", "[table]") {
  TextTable table({{"name"}, {"allowed"}, {"n", Align::right}, {"meaning"}});
  table.add(
      {"failure", "none, throw, exit, crash, kill, hang", "1234567", "how the trial ends when it does not end well"});
  CHECK(table.text(0, 64) ==
        "name     allowed                       n  meaning\n"
        "failure  none, throw, exit,      1234567  how the trial ends\n"
        "         crash, kill, hang                when it does not end\n"
        "                                          well\n");
}

TEST_CASE("a title over numbers continues under itself where nothing else can give way", "[table]") {
  TextTable table({{"variant"}, {"difference (points)", Align::right}, {"p", Align::right}});
  table.add({"width-20-lr-20", "+0.5", "1"});
  CHECK(table.text(0, 38) ==
        "variant         difference (points)  p\n"
        "width-20-lr-20                 +0.5  1\n");
  CHECK(table.text(0, 37) ==
        "variant         difference  p\n"
        "                  (points)\n"
        "width-20-lr-20        +0.5  1\n");
}

TEST_CASE("a word wider than the column is not broken, and its line is longer", "[table]") {
  TextTable table({{"k"}, {"digest"}});
  table.add({"a", std::string(64, 'f')});
  CHECK(table.text(0, 40) == "k  digest\na  " + std::string(64, 'f') + "\n");
}

TEST_CASE("a long name goes on in the next line of a column that breaks, behind a separator", "[table]") {
  const auto page = [](const std::string& one, const std::string& other, std::size_t width) {
    TextTable table({{"benchmark", Align::left, true}, {"change", Align::right, true}});
    table.add({one, "+7.33"});
    table.add({other, "0"});
    return table.text(0, width);
  };
  CHECK(page("BM_sort<std::vector<int>>/1024", "BM_sort<std::vector<int>>/2048", 26) ==
        "benchmark           change\n"
        "BM_sort<std::        +7.33\n"
        "vector<int>>/1024\n"
        "BM_sort<std::         0\n"
        "vector<int>>/2048\n");
  CHECK(page(std::string(30, 'x'), "y", 20).find(std::string(13, 'x')) == std::string::npos);
  const std::string digest(64, 'f');
  CHECK(page(digest, "y", 40).find(digest) != std::string::npos);
  CHECK(page("short", "name", 40).find("short") == 18);
}

TEST_CASE("wrapping breaks at blanks and keeps a word that is too long whole", "[table]") {
  CHECK(wrapped("aa bb cc", 5) == std::vector<std::string>{"aa bb", "cc"});
  CHECK(wrapped("abcdefgh ij", 4) == std::vector<std::string>{"abcdefgh", "ij"});
  CHECK(wrapped("a\nb", 10) == std::vector<std::string>{"a", "b"});
  CHECK(wrapped("", 10) == std::vector<std::string>{""});
}

TEST_CASE("numbers for people are short and never depend on a locale", "[output]") {
  CHECK(short_text(87.4249) == "87.42");
  CHECK(short_text(0.020694733) == "0.02069");
  CHECK(short_text(-1.5) == "-1.5");
  CHECK(short_text(0.0) == "0");
  CHECK(short_text(1.25e-9) == "1.25e-09");
}

TEST_CASE("durations are printed in the unit a reader expects", "[output]") {
  CHECK(duration_text(0.0) == "0 ms");
  CHECK(duration_text(0.0124) == "12 ms");
  CHECK(duration_text(3.44) == "3.4 s");
  CHECK(duration_text(59.4) == "59 s");
  CHECK(duration_text(320) == "5 min 20 s");
  CHECK(duration_text(7500) == "2 h 05 min");
}

TEST_CASE("sizes are printed in binary units", "[output]") {
  CHECK(bytes_text(512) == "512 B");
  CHECK(bytes_text(1536) == "1.5 KiB");
  CHECK(bytes_text(64.0 * 1024 * 1024) == "64.0 MiB");
  CHECK(bytes_text(200.0 * 1024) == "200 KiB");
}

TEST_CASE("a time is printed in UTC", "[output]") {
  CHECK(utc_text(0) == "1970-01-01 00:00:00 UTC");
  CHECK(utc_text(1'617'451'200'000'000'000) == "2021-04-03 12:00:00 UTC");  // date -u -d @1617451200
  CHECK(utc_text(-1) == "1969-12-31 23:59:59 UTC");
}

TEST_CASE("a word for a shell is quoted where that is needed", "[output]") {
  CHECK(shell_word("quickstart.db") == "quickstart.db");
  CHECK(shell_word("my study.db") == "'my study.db'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("#17") == "'#17'");
  CHECK(shell_word("") == "''");
}

TEST_CASE("colour is off on request and always without a terminal", "[terminal]") {
  set_colour(Colour::automatic);
  CHECK(bold("x") == "x");
  set_colour(Colour::always);
  CHECK(bold("x") == "\x1b[1mx\x1b[0m");
  set_colour(Colour::never);
  CHECK(red("x") == "x");
  set_colour(Colour::automatic);
}

}  // namespace retrial::tests::text_table_tests
