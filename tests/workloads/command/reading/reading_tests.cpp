#include "workloads/command/reading/reading.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "workloads/command/reading/json_reading.hpp"
#include "workloads/command/reading/lists.hpp"
#include "workloads/command/reading/output.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::tests::reading_tests {

using namespace retrial;
using namespace retrial::workloads::command;

TEST_CASE("a pattern has exactly one capture, and a bad one is explained") {
  CHECK(pattern_problem("loss (\\S+)").empty());
  CHECK(pattern_problem("(?:loss|cost) (\\S+)").empty());
  CHECK_THAT(pattern_problem("loss \\S+"), has_text("has 0 captures"));
  CHECK_THAT(pattern_problem("(loss) (\\S+)"), has_text("has 2 captures"));
  CHECK_THAT(pattern_problem("loss (\\S+"), has_text("bad pattern"));
  CHECK_THAT(pattern_problem("(a)(?=b)"), has_text("bad pattern"));
}

TEST_CASE("reads are one per line and split at the first tilde") {
  const auto reads = reads_of("accuracy\n loss~final (\\S+)~ \n\na\nb");
  REQUIRE(reads.size() == 4);
  CHECK(reads[0].name == "accuracy");
  CHECK_FALSE(reads[0].pattern);
  CHECK(reads[1].name == "loss");
  CHECK(reads[1].pattern == "final (\\S+)~");
  CHECK(reads_of("").empty());
}

TEST_CASE("a direction ends a name, and any other colon belongs to it") {
  using results::Direction;
  struct Case {
    std::string line, name;
    Direction direction;
    std::optional<std::string> pattern;
  };
  const std::vector<Case> table{{"acc:higher", "acc", Direction::higher, {}},
                                {"loss : lower", "loss", Direction::none, {}},
                                {"loss:lower~loss: (\\S+)", "loss", Direction::lower, "loss: (\\S+)"},
                                {"val:acc", "val:acc", Direction::none, {}},
                                {"val:acc:higher", "val:acc", Direction::higher, {}},
                                {"a~b:lower (x)", "a", Direction::none, "b:lower (x)"},
                                {"higher", "higher", Direction::none, {}},
                                {"reward:max", "reward:max", Direction::none, {}}};
  for (const auto& row : table) {
    CAPTURE(row.line);
    const auto read = reads_of(row.line).at(0);
    if (row.line == "loss : lower") {  // a blank is no part of a direction
      CHECK(read.name == row.line);
      continue;
    }
    CHECK(read.name == row.name);
    CHECK(read.direction == row.direction);
    CHECK(read.pattern == row.pattern);
  }
}

TEST_CASE("names that are empty, reserved or repeated are reported") {
  CHECK(problems_of(reads_of("a\nb~(x)")).empty());
  CHECK_THAT(problems_of(reads_of("~(x)")).at(0), has_text("needs a name"));
  CHECK_THAT(problems_of(reads_of("wall_s")).at(0), has_text("is recorded by retrial itself"));
  CHECK_THAT(problems_of(reads_of("acc:higher loss:lower")).at(0),
             has_text("has a blank after a direction") && has_text("--read acc:higher --read loss:lower"));
  CHECK(problems_of(reads_of("final acc:higher")).empty());
  CHECK_THAT(problems_of(reads_of("a\na")).at(0), has_text("\"a\" is read twice"));
  CHECK_THAT(problems_of(reads_of("a:higher\na:lower")).at(0), has_text("\"a\" is read twice"));
  CHECK_THAT(problems_of(reads_of(":higher")).at(0), has_text("needs a name"));
}

TEST_CASE("a misspelled direction is no name") {
  CHECK(problems_of(reads_of("acc:hihger")).at(0) ==
        "\"hihger\" is no direction; did you mean acc:higher? (a name that ends so needs a pattern, NAME~REGEX)");
  CHECK_THAT(problems_of(reads_of("acc:Lower")).at(0), has_text("did you mean acc:lower?"));
  CHECK(problems_of(reads_of("acc:Lower~acc:Lower=(\\S+)\nval:acc\nreward:max")).empty());
}

TEST_CASE("a list of names is not one name") {
  CHECK(
      problems_of(reads_of("acc,loss")).at(0) ==
      "\"acc,loss\" has a comma: give every metric its own option, --read acc --read loss, in a study file an entry of "
      "a list (such a name needs a pattern, NAME~REGEX)");
  CHECK_THAT(problems_of(reads_of("acc:higher, loss:lower")).at(0),
             has_text("--read acc:higher --read loss:lower, in a study file"));
  CHECK(problems_of(reads_of("acc,loss~(\\S+)\nacc@1")).empty());
}

// The store's own limit is CHECK(length(name) BETWEEN 1 AND 200), in characters.
TEST_CASE("a name that no store keeps is refused") {
  CHECK(problems_of(reads_of(std::string(200, 'a'))).empty());
  CHECK_THAT(problems_of(reads_of(std::string(201, 'a'))).at(0), has_text("a name of 201 characters"));
  std::string accents;
  for (int i = 0; i < 200; ++i) accents += "\xc3\xa9";
  CHECK(problems_of(reads_of(accents)).empty());
}

TEST_CASE("numbers of JSON are found by name, through dots too") {
  const auto object = json_object(
      R"({"acc": 0.5, "eval": {"acc": 0.25, "deep": {"x": 3}}, "a.b": 1, "n": NaN, "i": -Infinity, "s": "0.5", "t": true, "u": "a NaN"})");
  REQUIRE(object);
  const auto number = [&](const std::string& name) {
    const auto* member = member_named(*object, name);
    return member == nullptr ? std::nullopt : number_of(*member);
  };
  CHECK(number("acc") == 0.5);
  CHECK(number("eval.acc") == 0.25);
  CHECK(number("eval.deep.x") == 3.0);
  CHECK(number("a.b") == 1.0);
  CHECK(std::isnan(number("n").value()));
  CHECK(number("i") == -HUGE_VAL);
  for (const std::string name : {"s", "t", "u", "eval"}) {
    CHECK(member_named(*object, name));
    CHECK_FALSE(number(name));
  }
  for (const std::string name : {"none", "eval.none", ".", "eval."}) CHECK_FALSE(member_named(*object, name));
}

TEST_CASE("a JSON number that no double can hold is found outside of strings") {
  CHECK(number_out_of_range(R"({"a": 1, "b": -1e999})") == "-1e999");
  CHECK(number_out_of_range(R"({"a": 1e-999})") == "1e-999");
  CHECK_FALSE(number_out_of_range(R"({"a": "1e999", "b1e999": 1e308, "c": -0.5e-3, "d\"1e999": 2})"));
}

TEST_CASE("only a JSON object is read as one") {
  for (const std::string text :
       {"", "5", "[1]", "{", "{\"a\": }", "{\"a\": 1, \"a\": 2}", "{\"a\": 1} x", "{\"a\": nope}"})
    CHECK_FALSE(json_object(text));
}

TEST_CASE("only the last MiB of output is kept, and no cut word is taken for a whole one") {
  const Read accuracy{.name = "accuracy", .pattern = {}};
  Output output;
  CHECK(output.whole());
  output.append("first\n");
  for (int i = 0; i < 5000; ++i) output.append(std::string(1000, '.') + "\n");
  output.append("accuracy = 0.5\n");
  CHECK(output.text().size() <= Output::kept);
  CHECK_FALSE(output.whole());
  CHECK(output.text().starts_with("."));
  CHECK(last_value(output.text(), accuracy) == 0.5);

  Output one_line;
  one_line.append("val_accuracy = 0.5" + std::string(Output::kept - std::string("accuracy = 0.5").size(), '.'));
  CHECK(one_line.text() ==
        std::string("\xff = 0.5") + std::string(Output::kept - std::string("accuracy = 0.5").size(), '.'));
  CHECK_FALSE(last_value(one_line.text(), accuracy));

  Output ended;
  ended.append(std::string(2 * Output::kept, '7') + " accuracy = 0.5\n");
  CHECK(ended.text() == "\xff accuracy = 0.5\n");
  CHECK(last_value(ended.text(), accuracy) == 0.5);
  CHECK(matches_of_pattern(ended.text(), "^ accuracy = (\\S+)").empty());

  Output unbroken;
  unbroken.append(std::string(2 * Output::kept + 1, '7'));
  CHECK(unbroken.text() == std::string(1, '\xff') + std::string(Output::kept - 1, '7'));

  Output short_one;
  short_one.append("accuracy = 0.5");
  CHECK(short_one.text() == "accuracy = 0.5");
}

TEST_CASE("last lines and ends of output are safe to print") {
  CHECK(last_lines("a\n\nb\x1b[31m\n\n", 2) == "\n  a\n  b\xef\xbf\xbd[31m");
  CHECK(last_lines("1\n2\n3\n", 2) == "\n  2\n  3");
  CHECK(last_lines(" \n") == "\n  (no output)");
  CHECK(printable_end("a\n\xff"
                      "b\n") ==
        "a\n\xef\xbf\xbd"
        "b\n");
  CHECK(printable_end("abcdef", 3) == "def");
}

}  // namespace retrial::tests::reading_tests
