// Where a metric stands in an output, and what is refused there.
#include <cmath>

#include "tests/catch.hpp"
#include "workloads/command/reading/reading.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::tests::matches_tests {

using namespace retrial;
using namespace retrial::workloads::command;
using retrial::workloads::TrialFailure;

namespace {

Read word(const std::string& name) {
  return {.name = name, .pattern = {}};
}
Read pattern(const std::string& text) {
  return {.name = "loss", .pattern = text};
}

std::optional<double> accuracy_in(const std::string& output) {
  return last_value(output, word("accuracy"));
}

std::string refusal(const std::string& output, const Read& read) {
  try {
    (void)last_value(output, read);
  } catch (const TrialFailure& failure) {
    return failure.kind + ": " + failure.what();
  }
  return "read";
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
      {"accuracy : nan\naccuracy = 0.2 +/- 0.1", 0.2},
      {"accuracy=90%", 90},
      {"accuracy took .9s", HUGE_VAL},
      {"accuracy .9s", 0.9},
      {"accuracy = 0.5\naccuracy: tensor(0.75, device='cuda:0')\n", 0.75},
      {"accuracy = [0.9]", 0.9},
      {"accuracy [3/10]: running\naccuracy = 0.9", 0.9},
      {"accuracy = 0.9\naccuracy [3/10]: done", 0.9}};
  for (const auto& [output, expected] : table) {
    CAPTURE(output);
    if (std::isinf(expected))
      CHECK_FALSE(accuracy_in(output));
    else
      CHECK(accuracy_in(output) == expected);
  }
}

TEST_CASE("a number that is not the metric's is not read") {
  for (const std::string output :
       {"", "accuracy", "accuracy\n0.93", "val_accuracy = 0.93", "val-accuracy = 0.93", "val/accuracy 0.9",
        "test.accuracy: 0.9", "accuracy_top5 = 0.93", "accuracy2 0.9", "accuracy (%): 93", "Accuracy = 0.9",
        "accuracy - 0.5", "accuracy >= 0.5", "inaccuracy = 0.1", "accuracy0.93", "accuracy -> 0.9",
        "\xc3\xa9"
        "accuracy = 0.1"}) {
    CAPTURE(output);
    CHECK_FALSE(accuracy_in(output));
  }
}

// Half of it, or an earlier number, would be a wrong answer given with confidence.
TEST_CASE("what is not one number is refused with its line, wherever the number before it was good") {
  for (const std::string text : {"93,1", "1.5ms", "3/10", "1,234", "[0.9, 0.8]", "[0.9 0.8 0.7]", "tensor([0.1, 0.2])",
                                 "array([0.9, 0.8])", "[1,234]", "tensor([[0.1,"}) {
    CAPTURE(text);
    const auto said = refusal("accuracy = 0.5\naccuracy = " + text + "\nbye\n", word("accuracy"));
    CHECK_THAT(said, has_text("command.no_metric: \"accuracy\" is followed by more or less than one number in the line "
                              "\"accuracy = " +
                              text + "\""));
    CHECK_THAT(said, has_text("--read 'accuracy~REGEX'"));
  }
}

TEST_CASE("a number that no double can hold is said to be out of range") {
  for (const std::string& text : {std::string("1e999"), std::string("1e-999"), std::string(400, '9')}) {
    CAPTURE(text);
    CHECK_THAT(refusal("accuracy = " + text + "\n", word("accuracy")),
               has_text("a number outside the range of a double in the line \"accuracy = "));
  }
  CHECK_THAT(refusal("loss 1e999", pattern("loss (\\S+)")), has_text("captured \"1e999\", which is a number outside"));
}

// A number that goes on where the text is cut must not be read as its first part.
TEST_CASE("a number is read whole, however long it is and wherever it stands") {
  const std::string zeros(300, '0');
  CHECK(accuracy_in("accuracy = 0." + zeros + "5 more") == 5e-301);
  CHECK(accuracy_in("accuracy = " + zeros + "7") == 7.0);
  CHECK_THAT(refusal("accuracy = [" + std::string(250, ' ') + "12345678]", word("accuracy")),
             has_text("more or less than one number"));
}

TEST_CASE("names may hold what names hold") {
  CHECK(last_value("top-1 acc: 71.2", word("top-1 acc")) == 71.2);
  CHECK(last_value("val/acc = 3", word("val/acc")) == 3.0);
  CHECK(last_value("val:acc = 3", word("val:acc")) == 3.0);
  CHECK(last_value("F1(macro): 0.3", word("F1(macro)")) == 0.3);
  CHECK(last_value("a a a a 5", word("a")) == 5.0);
}

TEST_CASE("every place of a metric is found in order") {
  const std::string output = "accuracy improved\naccuracy=0.1 val_accuracy=9\naccuracy = n/a\naccuracy: 0.3\n";
  const auto all = matches_of_word(output, "accuracy");
  REQUIRE(all.size() == 3);
  CHECK(all[0].value.value == 0.1);
  CHECK(all[1].value.kind == PrintedValue::Kind::words);
  CHECK(all[2].value.value == 0.3);
  CHECK(line_at(output, all[1].at).number == 3);
  CHECK(line_at(output, all[1].at).text == "accuracy = n/a");
  CHECK(line_at(output, 0).number == 1);
}

TEST_CASE("a pattern reads the capture of its last match, by lines") {
  const auto read = pattern("^final loss is (\\S+)$");
  CHECK(last_value("final loss is 3\nfinal loss is 1.5e-05\nfinal loss is 9 or so\n", read) == 1.5e-05);
  CHECK_FALSE(last_value("the final loss is 3\n", read));
  CHECK_THROWS_AS(last_value("xx", pattern("y*()")), TrialFailure);  // empty matches come to an end
}

TEST_CASE("what a pattern captures must be a number") {
  CHECK_THROWS_AS(last_value("loss: 3ms", pattern("loss: (\\S+)")), TrialFailure);
  CHECK_THROWS_AS(last_value("loss: ", pattern("loss: ([0-9]*)")), TrialFailure);
  CHECK_THROWS_AS(last_value("loss:", pattern("loss:( 5)?")), TrialFailure);
  CHECK(last_value("loss: 93%", pattern("loss: (\\S+)")) == 93.0);
  CHECK(last_value("loss: tensor(0.5)", pattern("loss: (\\S+)")) == 0.5);
}

TEST_CASE("a pattern that stops std::regex and backtrackers is read in a line of 10 MB") {
  const std::string line(10'000'000, 'a');
  CHECK_FALSE(last_value(line, pattern("(?:a|aa)+b(\\d+)")));
  CHECK(last_value(line + "b7", pattern("(?:a|aa)+b(\\d+)")) == 7.0);
}

TEST_CASE("a line that holds the word is shown, in any case of its letters") {
  CHECK(line_with_word("a\nAcc -> 0.9\nb\n", "acc") == ", though this line holds the word: \"Acc -> 0.9\"");
  CHECK_THAT(line_with_word("acc one\nacc two\n", "acc"), has_text("\"acc two\""));
  CHECK(line_with_word("a\nb\n", "acc").empty());
}

TEST_CASE("a name on a line of a million brackets is read in time") {
  std::string output;
  for (int i = 0; i < 100'000; ++i) output += "a [[[[[[(";
  CHECK_FALSE(last_value(output, word("a")));
}

}  // namespace retrial::tests::matches_tests
