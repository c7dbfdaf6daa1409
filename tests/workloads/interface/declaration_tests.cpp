#include "workloads/interface/declaration.hpp"

#include <cmath>
#include <limits>

#include "results/text/error.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::interface_declaration_tests {

using namespace retrial;
using namespace retrial::workloads;

namespace {

Declaration sample() {
  Declaration made;
  made.name = "kiln";
  made.parameters = {
      {"heat", 1.5, "degrees", Range{0, 1000, true, false}},
      {"rounds", std::int64_t{3}, "rounds", Range{1, 100}},
      {"glaze", std::string{"clear"}, "glaze", std::vector<std::string>{"clear", "matt", "crackle"}},
      {"slow", false, "slowly", {}},
      {"label", std::string{}, "free text", {}},
      {"drift", 0.0, "anything finite",
       Range{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}},
  };
  made.variants = {{"plain", "as it is", {}}, {"hot", "hotter", {{"heat", 900.0}}}};
  return made;
}

/// The parts of the refusal, or a failed test.
ErrorText refusal(const std::string& key, const Value& value) {
  try {
    (void)checked(sample(), key, value, "study.toml:4:1");
  } catch (const Error& error) {
    return error.text;
  }
  FAIL(key << " was accepted");
  return {};
}

std::string parse_refusal(const std::string& key, const std::string& text) {
  try {
    (void)parsed(sample(), key, text, "--set");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a value of the key's own type passes unchanged") {
  CHECK(checked(sample(), "heat", 2.5, "") == Value{2.5});
  CHECK(checked(sample(), "rounds", std::int64_t{100}, "") == Value{std::int64_t{100}});
  CHECK(checked(sample(), "glaze", std::string{"matt"}, "") == Value{std::string{"matt"}});
  CHECK(checked(sample(), "slow", true, "") == Value{true});
  CHECK(checked(sample(), "label", std::string{"a\nb"}, "") == Value{std::string{"a\nb"}});
}

TEST_CASE("a whole number is accepted where a double is wanted, and not the other way round") {
  CHECK(checked(sample(), "heat", std::int64_t{2}, "") == Value{2.0});
  CHECK(refusal("rounds", 2.0).problem == "wrong type: a number, not a whole number");
  CHECK(refusal("drift", std::string("4")).problem == "wrong type: text, not a number");
  CHECK(refusal("drift", (std::int64_t{1} << 53) + 1).problem ==
        "wrong type: a whole number that a double cannot hold");
}

TEST_CASE("negative zero is zero, so that it is not another trial") {
  CHECK_FALSE(std::signbit(std::get<double>(checked(sample(), "drift", -0.0, ""))));
}

TEST_CASE("a value outside its range is refused with the range") {
  for (const double value : {0.0, -1.0, 1000.5}) {
    const auto text = refusal("heat", value);
    CHECK(text.exit == Exit::usage);
    CHECK(text.field == "kiln.heat");
    CHECK(text.allowed == "(0, 1000]");
    CHECK(text.where == "study.toml:4:1");
  }
  CHECK(refusal("rounds", std::int64_t{0}).allowed == "[1, 100]");
  CHECK(checked(sample(), "heat", 1000.0, "") == Value{1000.0});
}

TEST_CASE("NaN and infinities are no configuration") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {std::nan(""), infinity, -infinity}) {
    CHECK(refusal("drift", value).problem == "not a finite number");
    CHECK(refusal("heat", value).problem == "not a finite number");
  }
}

TEST_CASE("an unknown choice names the choices and its neighbour") {
  const auto near = refusal("glaze", std::string{"mat"});
  CHECK(near.allowed == "clear, matt, crackle");
  CHECK(near.problem == "unknown choice");
  CHECK_THAT(near.help, has_text("did you mean \"matt\"?"));
  CHECK(refusal("glaze", std::string{"purple"}).problem == "unknown choice");
}

TEST_CASE("an unknown key suggests its neighbour, or names all keys") {
  CHECK(refusal("haet", 1.0).help == "did you mean \"heat\"?");
  CHECK_THAT(refusal("temperature", 1.0).allowed, has_text("heat, rounds, glaze"));
}

TEST_CASE("text that cannot be stored is refused") {
  CHECK(refusal("label", std::string("a\0b", 3)).problem == "not UTF-8 text");
  CHECK(refusal("label", std::string("\xff")).problem == "not UTF-8 text");
}

TEST_CASE("text is parsed whole or not at all") {
  CHECK(parsed(sample(), "heat", "2.5", "") == Value{2.5});
  CHECK(parsed(sample(), "heat", "1e2", "") == Value{100.0});
  CHECK(parsed(sample(), "rounds", "12", "") == Value{std::int64_t{12}});
  CHECK(parsed(sample(), "slow", "true", "") == Value{true});
  CHECK(parsed(sample(), "label", "12banana", "") == Value{std::string{"12banana"}});
  for (const std::string text : {"12banana", "", "1.5.2", "nan", "inf", "0x10", "1,5"})
    CHECK_THAT(parse_refusal("heat", text), has_text("kiln.heat"));
  for (const std::string text : {"12banana", "", "1.0", "1e1", "99999999999999999999"})
    CHECK_THAT(parse_refusal("rounds", text), has_text("not a whole number"));
  CHECK_THAT(parse_refusal("slow", "yes"), has_text("(allowed: true, false)"));
  CHECK_THAT(parse_refusal("heat", "2000"), has_text("kiln.heat = 2000.0: out of range (allowed: (0, 1000])"));
}

TEST_CASE("the allowed values of a key are text") {
  const auto declaration = sample();
  CHECK(allowed_text(declaration.parameters[0]) == "(0, 1000]");
  CHECK(allowed_text(declaration.parameters[2]) == "clear, matt, crackle");
  CHECK(allowed_text(declaration.parameters[3]) == "true, false");
  CHECK(allowed_text(declaration.parameters[4]) == "text");
  CHECK(allowed_text(declaration.parameters[5]) == "any finite number");
  CHECK(allowed_text({"x", 0.0, "", Range{0, std::numeric_limits<double>::infinity()}}) == "[0, inf)");
  CHECK(allowed_text({"x", std::int64_t{0}, "", {}}) == "a whole number");
}

TEST_CASE("values are resolved from the defaults, and only what differs from them is kept for the identity") {
  const auto declaration = sample();
  const auto values = resolved(declaration, find_variant(declaration, "hot")->preset);
  CHECK(values.size() == declaration.parameters.size());
  CHECK(values.at("heat") == Value{900.0});
  CHECK(non_default(declaration, values) == Values{{"heat", 900.0}});
  CHECK(non_default(declaration, resolved(declaration, {})).empty());
  CHECK(non_default(declaration, resolved(declaration, {{"heat", 1.5}})).empty());
  CHECK_THROWS_AS(resolved(declaration, {{"haet", 1.0}}), Error);
}

TEST_CASE("places do not enter the identity") {
  auto declaration = sample();
  declaration.parameters.push_back({"shelf", std::string(), "", {}, Reads::place});
  const auto values = resolved(declaration, {{"shelf", std::string("/home/me")}, {"heat", 900.0}});
  CHECK(values.at("shelf") == Value{std::string("/home/me")});
  CHECK(non_default(declaration, values) == Values{{"heat", 900.0}});
}

TEST_CASE("a key added later is kept only where it differs from its default") {
  auto declaration = sample();
  declaration.parameters.push_back({.name = "lid", .fallback = false, .meaning = "", .written_at_default = false});
  const auto without = portable(sample(), resolved(sample(), {{"heat", 900.0}}));
  CHECK(portable(declaration, resolved(declaration, {{"heat", 900.0}})) == without);
  CHECK(portable(declaration, resolved(declaration, {{"lid", true}})).at("lid") == Value{true});
  CHECK(non_default(declaration, resolved(declaration, {})).empty());
  CHECK(non_default(declaration, resolved(declaration, {{"lid", true}})) == Values{{"lid", true}});
}

TEST_CASE("a difference of one bit is a difference") {
  const auto next = std::nextafter(1.5, 2.0);
  CHECK(non_default(sample(), resolved(sample(), {{"heat", next}})) == Values{{"heat", next}});
}

TEST_CASE("metrics are those of the declaration unless they depend on the keys") {
  auto declaration = sample();
  declaration.metrics = {{.name = "shine"}};
  CHECK(metrics_under(declaration, {}).at(0).name == "shine");
  declaration.metrics_of = [](const Values&) { return std::vector<results::MetricDef>{{.name = "depth"}}; };
  CHECK(metrics_under(declaration, {}).at(0).name == "depth");
}

}  // namespace retrial::tests::interface_declaration_tests
