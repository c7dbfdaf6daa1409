#include "workloads/command/reading/reading.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "workloads/command/reading/json_reading.hpp"
#include "workloads/command/reading/lists.hpp"
#include "workloads/command/reading/output.hpp"
#include "workloads/interface/trial.hpp"

namespace retrial::tests::reading_tests {

using namespace retrial;
using namespace retrial::workloads::command;

namespace {

std::optional<double> accuracy_in(const std::string& output) {
  return last_number_after(output, "accuracy");
}

}  // namespace

TEST_CASE("the last number after the name is read") {
  const std::vector<std::pair<std::string, double>> table{
      {"accuracy = 0.93", 0.93},
      {"accuracy: 0.93", 0.93},
      {"accuracy 0.93", 0.93},
      {"accuracy=0.93", 0.93},
      {"accuracy\t:\t 93.1 %", 93.1},
      {"{\"accuracy\": 0.93, \"loss\": 1}", 0.93},
      {"{'accuracy': 0.93}", 0.93},
      {"accuracy = \"0.93\"", 0.93},
      {"accuracy = 0.5\naccuracy = 0.6\n", 0.6},
      {"accuracy = 0.5\naccuracy = pending\n", 0.5},
      {"the accuracy is good; accuracy: 0.4 (accuracy was better before)", 0.4},
      {"accuracy 1.5e-05", 1.5e-05},
      {"...accuracy=0.7", 0.7},
      {"--accuracy=0.7", 0.7},
      {"(accuracy 0.7)", 0.7},
      {"accuracy = 0.1\r\n", 0.1},
      {"accuracy : nan\naccuracy = 0.2 +/- 0.1", 0.2}};
  for (const auto& [output, expected] : table) {
    CAPTURE(output);
    CHECK(accuracy_in(output) == expected);
  }
}

TEST_CASE("a number that is not the metric's is not read") {
  for (const std::string output :
       {"", "accuracy", "accuracy\n0.93", "val_accuracy = 0.93", "val-accuracy = 0.93", "val/accuracy 0.9",
        "test.accuracy: 0.9", "accuracy_top5 = 0.93", "accuracy2 0.9", "accuracy (%): 93", "Accuracy = 0.9",
        "accuracy = 93,1", "accuracy = 1.5ms", "accuracy - 0.5", "accuracy >= 0.5", "inaccuracy = 0.1", "accuracy0.93",
        "\xc3\xa9"
        "accuracy = 0.1",
        "accuracy = 3/10"}) {
    CAPTURE(output);
    CHECK_FALSE(accuracy_in(output));
  }
}

TEST_CASE("names may hold what names hold") {
  CHECK(last_number_after("top-1 acc: 71.2", "top-1 acc") == 71.2);
  CHECK(last_number_after("val/acc = 3", "val/acc") == 3.0);
  CHECK(last_number_after("F1(macro): 0.3", "F1(macro)") == 0.3);
  CHECK(last_number_after("a a a a 5", "a") == 5.0);
}

TEST_CASE("a pattern reads the capture of its last match, by lines") {
  const Read read{"loss", "^final loss is (\\S+)$"};
  CHECK(last_match("final loss is 3\nfinal loss is 1.5e-05\nfinal loss is 9 or so\n", read) == 1.5e-05);
  CHECK_FALSE(last_match("the final loss is 3\n", read));
  CHECK_THROWS_AS(last_match("xx", {"n", "y*()"}), retrial::workloads::TrialFailure);  // empty matches come to an end
}

TEST_CASE("what a pattern captures must be a number") {
  CHECK_THROWS_AS(last_match("loss: 3ms", {"loss", "loss: (\\S+)"}), retrial::workloads::TrialFailure);
  CHECK_THROWS_AS(last_match("loss: ", {"loss", "loss: ([0-9]*)"}), retrial::workloads::TrialFailure);
  CHECK_THROWS_AS(last_match("loss:", {"loss", "loss:( 5)?"}), retrial::workloads::TrialFailure);
  CHECK(last_match("loss: 93%", {"loss", "loss: (\\S+)"}) == 93.0);
}

TEST_CASE("a pattern has exactly one capture, and a bad one is explained") {
  CHECK(pattern_problem("loss (\\S+)").empty());
  CHECK(pattern_problem("(?:loss|cost) (\\S+)").empty());
  CHECK_THAT(pattern_problem("loss \\S+"), has_text("has 0 captures"));
  CHECK_THAT(pattern_problem("(loss) (\\S+)"), has_text("has 2 captures"));
  CHECK_THAT(pattern_problem("loss (\\S+"), has_text("bad pattern"));
  CHECK_THAT(pattern_problem("(a)(?=b)"), has_text("bad pattern"));
}

TEST_CASE("a pattern that stops std::regex and backtrackers is read in a line of 10 MB") {
  const std::string line(10'000'000, 'a');
  CHECK_FALSE(last_match(line, {"x", "(?:a|aa)+b(\\d+)"}));
  CHECK(last_match(line + "b7", {"x", "(?:a|aa)+b(\\d+)"}) == 7.0);
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

TEST_CASE("names that are empty, reserved or repeated are reported") {
  CHECK(problems_of(reads_of("a\nb~(x)")).empty());
  CHECK_THAT(problems_of(reads_of("~(x)")).at(0), has_text("needs a name"));
  CHECK_THAT(problems_of(reads_of("wall_s")).at(0), has_text("is always recorded"));
  CHECK_THAT(problems_of(reads_of("a\na")).at(0), has_text("\"a\" is read twice"));
}

TEST_CASE("numbers of JSON are found by name, through dots too") {
  const auto object = json_object(
      R"({"acc": 0.5, "eval": {"acc": 0.25, "deep": {"x": 3}}, "a.b": 1, "n": NaN, "i": -Infinity, "s": "0.5", "t": true, "u": "a NaN"})");
  REQUIRE(object);
  CHECK(number_named(*object, "acc") == 0.5);
  CHECK(number_named(*object, "eval.acc") == 0.25);
  CHECK(number_named(*object, "eval.deep.x") == 3.0);
  CHECK(number_named(*object, "a.b") == 1.0);
  CHECK(std::isnan(number_named(*object, "n").value()));
  CHECK(number_named(*object, "i") == -HUGE_VAL);
  for (const std::string name : {"s", "t", "u", "eval", "none", "eval.none", ".", "eval."})
    CHECK_FALSE(number_named(*object, name));
}

TEST_CASE("only a JSON object is read as one") {
  for (const std::string text :
       {"", "5", "[1]", "{", "{\"a\": }", "{\"a\": 1, \"a\": 2}", "{\"a\": 1} x", "{\"a\": nope}"})
    CHECK_FALSE(json_object(text));
}

TEST_CASE("the last line that is JSON is read") {
  CHECK(last_json_line("{\"a\": 1}\nnoise\n{\"a\": 2}\nbye {}\n{broken}\n")->at("a") == 2);
  CHECK(last_json_line("{\"a\": 1}")->at("a") == 1);
  CHECK_FALSE(last_json_line("a = 1\n"));
  CHECK_FALSE(last_json_line(""));
  CHECK_FALSE(last_json_line("\n\n"));
}

TEST_CASE("only the last MiB of output is kept, and no cut word is taken for a whole one") {
  Output output;
  output.append("first\n");
  for (int i = 0; i < 5000; ++i) output.append(std::string(1000, '.') + "\n");
  output.append("accuracy = 0.5\n");
  CHECK(output.text().size() <= Output::kept);
  CHECK(output.text().starts_with("."));
  CHECK(accuracy_in(output.text()) == 0.5);

  Output one_line;
  one_line.append("val_accuracy = 0.5" + std::string(Output::kept - std::string("accuracy = 0.5").size(), '.'));
  CHECK(one_line.text() ==
        std::string("\xff = 0.5") + std::string(Output::kept - std::string("accuracy = 0.5").size(), '.'));
  CHECK_FALSE(accuracy_in(one_line.text()));

  Output ended;
  ended.append(std::string(2 * Output::kept, '7') + " accuracy = 0.5\n");
  CHECK(ended.text() == "\xff accuracy = 0.5\n");
  CHECK(accuracy_in(ended.text()) == 0.5);
  CHECK_FALSE(last_match(ended.text(), {"n", "^ accuracy = (\\S+)"}));

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
