// Learning curves out of printed lines and of JSON lines.
#include "workloads/command/reading/curve.hpp"

#include "tests/catch.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::tests::curve_tests {

using namespace retrial::workloads::command;
using retrial::workloads::TrialFailure;

namespace {

const Read acc{.name = "acc", .pattern = {}};

/// "1:0.5 2:0.75", or the failure.
template <typename Make>
std::string text_of(Make make) {
  try {
    std::string text;
    for (const auto& point : make())
      text += (text.empty() ? "" : " ") + std::to_string(point.step) + ":" + std::to_string(point.value).substr(0, 4);
    return text;
  } catch (const TrialFailure& failure) {
    return failure.kind + ": " + failure.what();
  }
}

std::string printed(const std::string& output, const Read& read = acc) {
  return text_of([&] { return curve_in(output, read); });
}

std::string json(const std::string& output, bool numbered = true) {
  return text_of([&] { return curve_of(values_in_output(output, {"acc"}).of["acc"], "acc", numbered); });
}

}  // namespace

TEST_CASE("every printed value is a step, from 1") {
  CHECK(printed("epoch 0 acc=0.50\nnoise\nepoch 1 acc=0.75\nacc improved\ndone\n") == "1:0.50 2:0.75");
  CHECK(printed("e 1: 0.5\ne 2: 0.6\n", {.name = "acc", .pattern = "e \\d+: (\\S+)"}) == "1:0.50 2:0.60");
  CHECK(printed("nothing").empty());
}

TEST_CASE("a progress bar counts once a line, as it ended") {
  CHECK(printed("\racc=0.10\racc=0.20\racc=0.30\nacc=0.40\r\n") == "1:0.30 2:0.40");
}

TEST_CASE("a printed value that is no number is named with its line") {
  CHECK(printed("acc=0.5\nx\nacc = n/a\nacc=0.7\n") ==
        "command.bad_curve: line 3: \"acc\" is followed by no number in the line \"acc = n/a\"");
  CHECK_THAT(printed("acc=0.5\nacc=[0.1, 0.2]\n"), has_text("line 2: \"acc\" is followed by more or less than one"));
  CHECK_THAT(printed("acc=1e999\n"), has_text("line 1: \"acc\" is followed by a number outside the range of a double"));
  CHECK_THAT(printed("l 1\nl x\n", {.name = "acc", .pattern = "l (\\S+)"}),
             has_text("line 2: the pattern of \"acc\" captured \"x\", which is not a number"));
}

TEST_CASE("JSON lines bring their own steps") {
  CHECK(json("{\"epoch\": 3, \"acc\": 0.5}\nnoise\n{\"epoch\": 4, \"acc\": 0.75}\n") == "3:0.50 4:0.75");
  CHECK(json("{\"epoch\": 0, \"step\": 99, \"acc\": 0.5}\n{\"epoch\": 0, \"step\": 199, \"acc\": 0.6}") ==
        "99:0.50 199:0.60");
  CHECK(json("{\"epoch\": 1, \"acc\": 0.5}\n{\"epoch\": 1, \"loss\": 2}\n{\"acc\": 0.9, \"final\": true}\n") ==
        "1:0.50");
  CHECK(json("{\"acc\": 0.5}\n{\"acc\": 0.6}\n") == "1:0.50 2:0.60");
  CHECK(json("{\"acc\": 0.5}\n{\"acc\": 0.6}\n", false).empty());
  CHECK(json("{\"step\": 2.0, \"acc\": NaN}") == "2:nan");
}

TEST_CASE("a JSON line that makes no point is named") {
  CHECK(json("{\"step\": 1, \"acc\": 0.5}\n{\"step\": 2, \"acc\": \"n/a\"}\n") ==
        "command.bad_curve: line 2: \"acc\" is not a number");
  CHECK_THAT(json("{\"step\": 1, \"acc\": null}"), has_text("line 1: \"acc\" is not a number"));
  for (const std::string step : {"-1", "1.5", "\"3\"", "null", "1e300", "NaN"})
    CHECK_THAT(json("{\"step\": " + step + ", \"acc\": 0.5}"),
               has_text("line 1: the step of \"acc\" is not a whole number from 0"));
  CHECK(json("{\"step\": 1, \"acc\": 0.5}\n{}\n{\"step\": 1, \"acc\": 0.5}\n") ==
        "command.bad_curve: line 3: \"acc\" has a second value at step 1; the first is in line 1");
}

TEST_CASE("a curve has at most 100,000 points") {
  std::string output;
  for (int i = 0; i < 100'000; ++i) output += "acc 1\n";
  CHECK(curve_in(output, acc).size() == 100'000);
  CHECK_THAT(printed(output + "acc 1\n"), has_text("line 100001: \"acc\" has more than 100000 values"));
}

TEST_CASE("a file of JSON is one object or one on every line") {
  const auto last = [](const std::string& text) {
    return values_in_file(text, "m.json", {"acc"}).of.at("acc").back().number;
  };
  CHECK(last("{\n  \"acc\": 0.5\n}\n") == 0.5);
  CHECK(last("{\"acc\": 0.5}\n\n{\"acc\": 0.6}\n") == 0.6);
  CHECK_THROWS_WITH(last("{\"acc\": 0.5}\nnoise\n"),
                    has_text("m.json: not a JSON object: line 2 of it is none either: noise"));
  CHECK_THROWS_WITH(last(""), has_text("m.json: not a JSON object"));
  CHECK_THROWS_WITH(last("{\"acc\": 1e999}"), has_text("m.json: 1e999 is outside the range of a double"));
}

TEST_CASE("of an output, only the lines that are JSON objects are read") {
  const auto values =
      values_in_output("{\"a\": 1}\nnoise\n{\"a\": 2, \"b\": {\"c\": 3}}\nbye {}\n{broken}\n", {"a", "b.c"});
  REQUIRE(values.of.at("a").size() == 2);
  CHECK(values.of.at("a")[1].number == 2.0);
  CHECK(values.of.at("a")[1].line == 3);
  CHECK(values.of.at("b.c")[0].number == 3.0);
  CHECK(values.numbers == std::vector<std::string>{"a", "b.c"});
  CHECK_THROWS_WITH(values_in_output("{\"a\": 1}\n{\"a\": 1e999}\n", {"a"}), has_text("1e999 is outside the range"));
}

}  // namespace retrial::tests::curve_tests
