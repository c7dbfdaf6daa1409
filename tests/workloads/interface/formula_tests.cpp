// Formulas of the command line: how arguments are read, and which errors a mistake has.
#include "workloads/interface/formula.hpp"

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::formula_tests {

using namespace retrial;
using namespace retrial::workloads;

namespace {

using std::string_literals::operator""s;

Formula formula() {
  return {.name = "mean",
          .arguments = {{.value = {"values", 0.0, "numbers", Range{-10, 10}}, .shape = Shape::list},
                        {.value = {"power", std::int64_t{1}, "exponent", Range{1, 3}}, .optional = true},
                        {.value = {"kind", "plain"s, "which", std::vector<std::string>{"plain", "robust"}},
                         .optional = true},
                        {.value = {"weights", 1.0, "rows", {}}, .shape = Shape::rows, .optional = true}},
          .meaning = "the mean",
          .example = "values=1,2",
          .function = [](const FormulaArguments&) { return Json::object(); }};
}

/// Registered as a folder of workloads/ does it.
const RegisterFormula declared{formula()};

std::string refused(const std::vector<std::string>& words) {
  try {
    static_cast<void>(arguments_of(formula(), words));
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::usage);
    return std::string(error.what()) + "\n" + error.text.help;
  }
  return "accepted";
}

std::string complaints(std::vector<Formula> formulas) {
  return results::joined(contradictions(formulas), "\n");
}

}  // namespace

TEST_CASE("arguments come in any order: one value, lists, rows, and defaults", "[formulas]") {
  const auto given = arguments_of(formula(), {"kind=robust", "values=1,-2.5,3e-1", "weights=1,0;0.5,2"});
  CHECK(given.numbers("values") == std::vector<double>{1, -2.5, 0.3});
  CHECK(given.text("kind") == "robust");
  CHECK(given.integer("power") == 1);
  CHECK(given.rows("weights") == std::vector<std::vector<double>>{{1, 0}, {0.5, 2}});
  CHECK(arguments_of(formula(), {"values=0.1"}).rows("weights") == std::vector<std::vector<double>>{{}});
  CHECK(usage_of(formula()) == "values [power] [kind] [weights]");
}

TEST_CASE("a mistake is one error with key, value, allowed values and the nearest name", "[formulas]") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> table{
      {{}, "mean.values: missing (allowed: [-10, 10])"},
      {{"valuse=1"}, "did you mean \"values\"?"},
      {{"other=1"}, "mean.other: unknown key (allowed: values, power, kind, weights)"},
      {{"1,2"}, "1,2: not KEY=VALUE (allowed: values [power] [kind] [weights])"},
      {{"values=1,x"}, "mean.values = x: not a finite number"},
      {{"values=1,,2"}, "not a finite number"},
      {{"values="}, "not a finite number"},
      {{"values=nan"}, "not a finite number"},
      {{"values=1,11"}, "mean.values = 11.0: out of range (allowed: [-10, 10])"},
      {{"values=1", "values=2"}, "mean.values: given twice"},
      {{"values=1", "power=1.5"}, "mean.power = 1.5: not a whole number"},
      {{"values=1", "power=4"}, "mean.power = 4: out of range (allowed: [1, 3])"},
      {{"values=1", "kind=robst"}, "did you mean \"robust\"?"},
      {{"values=1", "weights=1;"}, "mean.weights"},
  };
  for (const auto& [words, expected] : table) {
    CAPTURE(words);
    CHECK_THAT(refused(words), has_text(expected));
  }
}

TEST_CASE("an unknown formula suggests its neighbor", "[formulas]") {
  const auto unknown = [](const std::string& name) {
    try {
      static_cast<void>(find_formula(name));
    } catch (const Error& error) {
      return std::string(error.what()) + error.text.help;
    }
    return "found"s;
  };
  CHECK(unknown("mean") == "found");
  CHECK_THAT(unknown("meam"), has_text("did you mean \"mean\"?"));
  CHECK_THAT(unknown("nothing_like_it"), has_text("unknown formula (allowed: "));
}

TEST_CASE("a formula that contradicts itself is found at registration", "[formulas]") {
  CHECK(complaints({formula()}).empty());
  CHECK_THAT(complaints({formula(), formula()}), has_text("mean: two formulas have this name"));
  auto wrong = formula();
  wrong.example = "values=11";
  CHECK_THAT(complaints({wrong}), has_text("mean: does not accept its example"));
  wrong = formula();
  wrong.function = nullptr;
  wrong.meaning = "";
  wrong.arguments.push_back(wrong.arguments.front());
  CHECK_THAT(complaints({wrong}), has_text("has no function") && has_text("says nothing of its meaning") &&
                                      has_text("two arguments are named values"));
}

TEST_CASE("every example of every formula has an answer of finite numbers", "[formulas]") {
  for (const auto& each : all_formulas()) {
    CAPTURE(each.name);
    std::vector<std::string> words{""};
    for (const char c : each.example) {
      if (c == ' ')
        words.emplace_back();
      else
        words.back() += c;
    }
    if (each.example.find("kappa") != std::string::npos) continue;  // takes seconds
    const Json answer = each.function(arguments_of(each, words));
    CHECK(answer.is_object());
    CHECK(results::printed(answer).find("null") == std::string::npos);
    for (const auto& file : each.files) CHECK_FALSE(file.bytes(arguments_of(each, words)).empty());
  }
}

}  // namespace retrial::tests::formula_tests
