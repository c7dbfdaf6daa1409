// Escaping: the output parses in its format and decodes to the cleaned input, for random bytes and for a corpus of
// hostile names.
#include <array>

#include "results/report/drawing/escape.hpp"
#include "results/text/utf8.hpp"
#include "tests/catch.hpp"
#include "tests/results/report/hostile_names.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::escape_tests {

using namespace retrial::report;

namespace {

using retrial::variance::Stream;

std::uint64_t below(Stream& stream, std::uint64_t n) {
  return retrial::variance::bounded(stream.next(), n);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// A reader of HTML text: no raw special character may be left, and the five entities are decoded, "&amp;" last.
std::string decoded_html(const std::string& text) {
  CHECK(text.find_first_of("<>\"'") == std::string::npos);
  std::string out = text;
  for (const auto& [entity, character] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}})
    out = replaced(out, entity, character);
  return out;
}

/// CommonMark 0.31, sections 2.4 and 2.5: a backslash before ASCII punctuation means that character.
std::string decoded_markdown(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') ++at;
    out += text.at(at);
  }
  out = replaced(out, "@\xE2\x80\x8B", "@");
  if (out.starts_with("&#32;")) return " " + out.substr(5);
  return out.starts_with("&#9;") ? "\t" + out.substr(4) : out;
}

/// Every character that begins a Markdown construct follows a backslash.
bool all_escaped(const std::string& text) {
  const std::string begins = text.starts_with("&#32;")  ? text.substr(5)
                             : text.starts_with("&#9;") ? text.substr(4)
                                                        : text;
  for (std::size_t at = 0; at < begins.size(); ++at) {
    if (begins[at] == '\\') {
      ++at;
      continue;
    }
    if (std::string("|*_[]()#!<>~`&$").find(begins[at]) != std::string::npos) return false;
  }
  return true;
}

std::string random_bytes(Stream& stream) {
  // Half of them from the characters that matter: 256 values alone rarely put two of them next to each other.
  static constexpr std::string_view special = "\\|*_[]()#!<>~`&$@'\"\n\r\t\xE2\x80\xAE\xC2\x85w.:/-+=1";
  std::string out;
  const auto length = below(stream, 60);
  for (std::uint64_t i = 0; i < length; ++i)
    out += below(stream, 2) == 0 ? static_cast<char>(below(stream, 256)) : special[below(stream, special.size())];
  return out;
}

void check_text(const std::string& text) {
  CAPTURE(text);
  const std::string clean = cleaned(text);
  CHECK(retrial::results::invalid_utf8(clean) == std::string::npos);
  CHECK(clean.find_first_of(std::string("\n\r\x1b\x00", 4)) == std::string::npos);
  CHECK(decoded_html(esc_html(text)) == clean);
  CHECK(decoded_markdown(esc_markdown(text)) == clean);
  CHECK(all_escaped(esc_markdown(text)));
  CHECK(replaced(esc_markdown(text), "\\://", "").find("://") == std::string::npos);
}

}  // namespace

TEST_CASE("random bytes keep their cleaned form through HTML and Markdown", "[report]") {
  Stream stream(20210403);
  for (int i = 0; i < 3000; ++i) check_text(random_bytes(stream));
}

TEST_CASE("names written to do harm come through as text", "[report]") {
  for (const auto& name : retrial::fixture::hostile_names()) check_text(name);
}

TEST_CASE("controls, broken UTF-8 and turned writing are shown, not obeyed", "[report]") {
  CHECK(cleaned("a\x1b[31mb") == "a\xEF\xBF\xBD[31mb");
  CHECK(cleaned("a\xFF"
                "b") ==
        "a\xEF\xBF\xBD"
        "b");
  CHECK(cleaned("a\xC2\x9B"
                "b") ==
        "a\xEF\xBF\xBD"
        "b");  // U+009B, the one-byte escape sequence of old terminals
  CHECK(cleaned("user\xE2\x80\xAEtxt.exe") == "user[U+202E]txt.exe");
  CHECK(cleaned("two\nlines") == "two lines");
  CHECK(cleaned("two\nlines", 100, Lines::kept) == "two\nlines");
}

TEST_CASE("a long name is cut at a character and marked", "[report]") {
  CHECK(cleaned("\xC3\xA4\xC3\xB6\xC3\xBC", 3) == "\xC3\xA4\xC3\xB6\xC3\xBC");
  CHECK(cleaned("\xC3\xA4\xC3\xB6\xC3\xBC", 2) == "\xC3\xA4\xC3\xB6\xE2\x80\xA6");
  CHECK(esc_html(std::string(5000, '<')).size() == 4 * longest_in_table + 3);
}

TEST_CASE("no link, mention, list or heading arises in Markdown", "[report]") {
  CHECK(esc_markdown("https://x.org") == "https\\://x.org");
  CHECK(esc_markdown("www.x.org") == "www\\.x.org");
  CHECK(esc_markdown("@everybody") ==
        "@\xE2\x80\x8B"
        "everybody");
  CHECK(esc_markdown("- item") == "\\- item");
  CHECK(esc_markdown("12. item") == "12\\. item");
  CHECK(esc_markdown("---") == "\\---");
  CHECK(esc_markdown("-0.5 and 0.5") == "-0.5 and 0.5");
  CHECK(esc_markdown("kd/7 of a-b") == "kd/7 of a-b");
}

TEST_CASE("a fence is longer than every run of back-quotes inside", "[report]") {
  CHECK(markdown_fence("plain") == "```");
  CHECK(markdown_fence("a ```` b") == "`````");
}

TEST_CASE("JSON inside a page cannot end its element", "[report]") {
  CHECK(esc_json_in_html(R"({"a":"</script><!--"})") == R"({"a":"\u003c/script>\u003c!--"})");
}

namespace {

/// A reader of a CSS string (CSS Syntax 3, 4.3.5 and 4.3.7) whose escapes are hex digits and a blank.
std::string decoded_css(const std::string& text) {
  REQUIRE(text.size() >= 2);
  CHECK((text.front() == '"' && text.back() == '"'));
  std::string out;
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    CHECK(std::string("\"<>\n").find(text[at]) == std::string::npos);
    if (text[at] != '\\') {
      out += text[at];
      continue;
    }
    const auto end = text.find(' ', at);
    out += static_cast<char>(std::stoi(text.substr(at + 1, end - at - 1), nullptr, 16));
    at = end;
  }
  return out;
}

}  // namespace

TEST_CASE("a CSS string decodes to the cleaned text, and nothing in it ends the string or the style sheet",
          "[report]") {
  for (const auto& name : retrial::fixture::hostile_names()) {
    CAPTURE(name);
    CHECK(decoded_css(css_string(name)) == cleaned(name, longest_in_figure));
  }
}

}  // namespace retrial::tests::escape_tests
