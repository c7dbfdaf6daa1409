#include "workloads/interface/registry.hpp"

#include <algorithm>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "workloads/interface/contradictions.hpp"

namespace retrial::tests::registry_tests {

using namespace retrial;
using namespace retrial::workloads;

namespace {

Declaration sound(const std::string& name) {
  Declaration made;
  made.name = name;
  made.summary = "for a test";
  made.parameters = {{"width", std::int64_t{4}, "width", Range{1, 10}},
                     {"kind", std::string{"a"}, "kind", std::vector<std::string>{"a", "b"}}};
  made.sources = {{"init", "weights"}};
  made.metrics = {{.name = "score"}};
  made.variants = {{"base", "as it is", {}}};
  made.honours = [](const Values&) { return std::vector<std::string>{"init"}; };
  return made;
}

std::string complaints(const std::vector<Declaration>& all) {
  return results::joined(contradictions(all), "\n");
}

}  // namespace

TEST_CASE("no workload has vanished from the link") {
  std::vector<std::string> names;
  for (const auto& declaration : all_workloads()) names.push_back(declaration.name);
  for (const std::string name : {"command", "null"}) CHECK(std::count(names.begin(), names.end(), name) == 1);
  CHECK(std::is_sorted(names.begin(), names.end()));
}

TEST_CASE("registered workloads answer every question that has a harmless answer") {
  for (const auto& declaration : all_workloads()) {
    const auto values = resolved(declaration, {});
    CHECK(declaration.validate);
    CHECK(declaration.dataset);
    CHECK_FALSE(declaration.honours(values).size() > declaration.sources.size());
    CHECK_FALSE(declaration.reads(values).empty());
    CHECK_FALSE(declaration.example.empty());
    for (const auto& key : declaration.reads(values)) CHECK(find_parameter(declaration, key) != nullptr);
  }
}

TEST_CASE("a mistyped workload name suggests its neighbour") {
  CHECK(find_workload("null", "").name == "null");
  try {
    (void)find_workload("nul", "study.toml:3:1");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::usage);
    CHECK(error.text.help == "did you mean \"null\"?");
    CHECK_THAT(error.text.allowed, has_text("command"));
    CHECK_THAT(std::string(error.what()), has_text("study.toml:3:1: workload = nul: unknown workload"));
  }
}

TEST_CASE("a workload whose running part is not linked says so when it is started") {
  CHECK(find_start("null"));
  CHECK(find_start("command"));
  try {
    (void)find_start("teapot");
    FAIL("found");
  } catch (const TrialFailure& failure) {
    CHECK(failure.kind == "workload.not_built");
  }
}

TEST_CASE("declarations that agree with themselves are not complained about") {
  CHECK(contradictions(std::vector{sound("one"), sound("two")}).empty());
}

TEST_CASE("a flag of two workloads, or of a key that is not there, is a contradiction") {
  auto one = sound("one"), two = sound("two");
  one.contributes.flags = {{.name = "width", .value_name = "N", .meaning = "width", .key = "width"}};
  CHECK(contradictions(std::vector{one, two}).empty());
  two.contributes.flags = {{.name = "width", .value_name = "N", .meaning = "width", .key = "with"}};
  CHECK(complaints({one, two}) ==
        "two: flag --width is declared twice\ntwo: flag --width sets the undeclared key \"with\"");
}

TEST_CASE("--data can only set a key of a place") {
  auto one = sound("one");
  one.data_key = "width";
  CHECK(complaints({one}) == "one: data_key \"width\" is not a key of a place");
  one.parameters.push_back({"folder", std::string{}, "where", {}, Reads::place});
  one.data_key = "folder";
  CHECK(complaints({one}).empty());
}

namespace {
const RegisterStart explained{"explained", {}, [](const std::exception& error) {
                                return std::string(error.what()) == "E17"
                                           ? std::optional<TrialFailure>(TrialFailure("library.full", "no room left"))
                                           : std::nullopt;
                              }};
}  // namespace

TEST_CASE("a workload explains the exceptions that it knows, and no others") {
  const auto known = explanation("explained", std::runtime_error("E17"));
  REQUIRE(known);
  CHECK(known->kind == "library.full");
  CHECK(known->what() == std::string("no room left"));
  CHECK_FALSE(explanation("explained", std::runtime_error("E18")));
  CHECK_FALSE(explanation("null", std::runtime_error("E17")));
}

TEST_CASE("contradictory declarations are found, all at once") {
  const auto with = [](auto change) {
    auto declaration = sound("odd");
    change(declaration);
    return complaints({declaration});
  };
  CHECK_THAT(complaints({sound("one"), sound("one")}), has_text("one: is registered twice"));
  CHECK_THAT(with([](auto& d) { d.parameters.push_back(d.parameters[0]); }),
             has_text("parameter \"width\" is declared twice"));
  CHECK_THAT(with([](auto& d) { d.parameters[0].fallback = std::int64_t{11}; }),
             has_text("odd.width = 11: out of range"));
  CHECK_THAT(with([](auto& d) { d.parameters[1].fallback = std::string{"c"}; }),
             has_text("odd.kind = c: unknown choice"));
  CHECK_THAT(with([](auto& d) { d.parameters[1].allowed = Range{0, 1}; }), has_text("\"kind\" do not fit its type"));
  CHECK_THAT(with([](auto& d) { d.parameters[0].allowed = Range{2, 1}; }), has_text("\"width\" do not fit its type"));
  CHECK_THAT(with([](auto& d) {
               d.sources.push_back({"Data Order", ""});
             }),
             has_text("source \"Data Order\" has an illegal name"));
  CHECK_THAT(with([](auto& d) { d.sources.push_back({"gate-order", ""}); }), has_text("illegal name"));
  CHECK_THAT(with([](auto& d) { d.sources[0].name = "noise"; }), has_text("honors the undeclared source \"init\""));
  CHECK_THAT(with([](auto& d) { d.honours = {}; }), has_text("not when it honors them"));
  CHECK_THAT(with([](auto& d) { d.metrics.push_back(d.metrics[0]); }), has_text("metric \"score\" is declared twice"));
  CHECK_THAT(with([](auto& d) { d.variants.push_back(d.variants[0]); }),
             has_text("variant \"base\" is declared twice"));
  CHECK_THAT(with([](auto& d) { d.variants.clear(); }), has_text("declares no variant"));
  CHECK_THAT(with([](auto& d) {
               d.variants[0].preset = {{"widht", std::int64_t{3}}};
             }),
             has_text("odd.widht: unknown key"));
  CHECK_THAT(with([](auto& d) { d.variants[0].preset = {{"width", std::int64_t{30}}}; }), has_text("out of range"));
  CHECK_THAT(with([](auto& d) { d.summary.clear(); }), has_text("has no summary"));
  auto twice = with([](auto& d) { d.summary.clear(), d.variants.clear(); });
  CHECK(std::count(twice.begin(), twice.end(), '\n') == 1);
}

TEST_CASE("a shared folder that shows studies says which use it, one that only lists need not") {
  const std::vector<Declaration> workloads{sound("one")};
  const auto complaints_of = [&](const SharedContribution& shared) {
    return results::joined(contradictions(std::span(&shared, 1), workloads), "\n");
  };
  SharedContribution shared{.name = "networks"};
  shared.contributes.listings = {{.name = "models", .rows = [] { return std::vector<Json>{}; }}};
  CHECK(complaints_of(shared).empty());
  shared.contributes.audits = {
      {.name = "audit", .find = [](const auto&, const auto&) { return std::vector<Finding>{}; }}};
  CHECK_THAT(complaints_of(shared), has_text("does not declare which trials use it"));
  shared.used = [](const Declaration&, const Values&) { return true; };
  CHECK(complaints_of(shared).empty());
  shared.contributes.listings[0].rows = {};
  CHECK_THAT(complaints_of(shared), has_text("listing \"models\" has no rows"));
  shared.name = "one";
  CHECK_THAT(complaints_of(shared), has_text("another contributor has this name"));
}

}  // namespace retrial::tests::registry_tests
