// The manual's table of methods is the registry's.
#include <fstream>
#include <sstream>

#include "harness/catalogue/catalogue.hpp"
#include "tests/catch.hpp"
#include "workloads/distillation/methods/describe.hpp"

namespace retrial::tests::methods_listed_tests {

using namespace retrial;

namespace {

std::string table() {
  std::string text = "| method | minimises | needs | what it is |\n|---|---|---|---|\n";
  for (const auto& method : distillation::all_methods())
    text += "| `" + method.name + "` | " + distillation::objective_text(method) + " | " +
            distillation::needs_text(method) + " | " + method.summary + " |\n";
  return text;
}

std::string manual() {
  std::ifstream file(std::string(RETRIAL_SOURCE_DIR) + "/docs/workloads/distillation.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("the manual of distillation has the registry's table of methods") {
  const std::string text = manual(), from = "by a test -->\n", to = "<!-- /methods -->";
  const auto begin = text.find(from) + from.size();
  CHECK(text.substr(begin, text.find(to) - begin) == table());
}

TEST_CASE("an objective is described by terms, weights and phases") {
  const auto text = [](const char* name) { return distillation::objective_text(distillation::find_method(name)); };
  CHECK(text("ce") == "ce");
  CHECK(text("rkd") == "ce + 25 rkd_distance + 50 rkd_angle");
  CHECK(text("dkd") == "ce + tckd (warming up) + beta nckd (warming up)");
  CHECK(text("ab") == "10 epochs of 0.003 ab, then w_ce ce + w_soft soft");
  CHECK(text("pkd") == "w_ce ce + w_soft soft + 10 pkd");
  CHECK(harness::find_topic("methods").rows({}).size() == 28);
}

}  // namespace retrial::tests::methods_listed_tests
