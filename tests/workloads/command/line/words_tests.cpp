#include "workloads/command/line/words.hpp"

#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/command/process/process.hpp"

namespace retrial::tests::words_tests {

using namespace retrial;
using namespace retrial::workloads::command;

namespace {

using Texts = std::vector<std::string>;

/// What /bin/sh makes of the text: its words, nothing when it finds a syntax error.
std::optional<Texts> words_of_sh(const std::string& text) {
  const auto seen = run_program({{"/bin/sh", "-c", "printf '%s\\0' first " + text}, {"PATH=/usr/bin:/bin"}, {}});
  if (seen.exit_code != 0) return std::nullopt;
  const auto output = seen.output.text();
  Texts words;
  for (std::size_t from = 0, end; (end = output.find('\0', from)) != std::string::npos; from = end + 1)
    words.push_back(output.substr(from, end - from));
  words.erase(words.begin());
  return words;
}

std::string random_text(std::uint64_t n) {
  constexpr std::string_view alphabet = "ab{} \t'\"\\=-.";
  variance::Stream stream(variance::derive(1, "words"), n);
  std::string text;
  for (auto length = variance::bounded(stream.next(), 12); length > 0; --length)
    text += alphabet[variance::bounded(stream.next(), alphabet.size())];
  return text;
}

std::string shell_problem(const std::string& text) {
  return shell_only(split_words(text));
}

}  // namespace

TEST_CASE("a command line is split into words and quotes") {
  const std::vector<std::pair<std::string, Texts>> table{
      {"", {}},
      {"  \t\n ", {}},
      {"python train.py --lr 0.1", {"python", "train.py", "--lr", "0.1"}},
      {"a 'b c' d", {"a", "b c", "d"}},
      {"a \"b c\" d", {"a", "b c", "d"}},
      {"a b\\ c d", {"a", "b c", "d"}},
      {"a'b'\"c\"d", {"abcd"}},
      {"a '' b \"\"", {"a", "", "b", ""}},
      {"'a\\b' \"a\\b\" a\\b", {"a\\b", "a\\b", "ab"}},
      {R"("\$x \` \" \\ \n")", {"$x ` \" \\ \\n"}},
      {"a\\\nb \"c\\\nd\"", {"ab", "cd"}},
      {"awk '{print $1}'", {"awk", "{print $1}"}},
      {"echo # no comment", {"echo", "#", "no", "comment"}},
  };
  for (const auto& [text, expected] : table) {
    CAPTURE(text);
    const auto words = split_words(text);
    CHECK(words.problem.empty());
    CHECK(texts_of(words) == expected);
  }
}

TEST_CASE("words are those that /bin/sh sees, over 400 random texts") {
  int compared = 0, refused = 0;
  for (std::uint64_t n = 0; n < 400; ++n) {
    const auto text = random_text(n);
    const auto ours = split_words(text);
    if (ours.problem.starts_with("it ends in a backslash")) continue;  // dash keeps it; POSIX leaves it open
    const auto theirs = words_of_sh(text);
    CAPTURE(text);
    CHECK(ours.problem.empty() == theirs.has_value());
    if (theirs) CHECK(texts_of(ours) == *theirs);
    ++(theirs ? compared : refused);
  }
  CHECK(compared > 100);
  CHECK(refused > 50);
}

TEST_CASE("a quote that is not closed is named with its place") {
  CHECK(split_words("echo 'abc").problem == "the opening ' at character 6 is not closed");
  CHECK(split_words("echo \"abc\\\"").problem == "the opening \" at character 6 is not closed");
  CHECK_THAT(split_words("echo abc\\").problem, has_text("ends in a backslash"));
}

TEST_CASE("what only a shell does is pointed out, and what is quoted is not") {
  for (const std::string text :
       {"a | tail -1", "a && b", "a > log", "a 2>&1", "a >log", "a; b", "a ; b", "a &", "python $HOME/a.py",
        "python \"$HOME/a.py\"", "a `date`", "a $(date)", "a ${x}", "~/bin/train --seed {seed}"}) {
    CAPTURE(text);
    CHECK_THAT(shell_problem(text), has_text("needs a shell"));
  }
  CHECK_THAT(shell_problem("OMP_NUM_THREADS=1 python a.py"), has_text("write \"env OMP_NUM_THREADS=1 ...\""));
  for (const std::string text : {"a '|' b", "a \\| b", "awk '{print $1 > 2}'", "a 'x;'", "a $", "a 5$ --x=1",
                                 "grep 'a$'", "python train.py --lr=0.1", "a '~/x'", "a \\$HOME", "find . *.csv"}) {
    CAPTURE(text);
    CHECK(shell_problem(text).empty());
  }
}

}  // namespace retrial::tests::words_tests
