// The manual names every method of the registry.
#include <fstream>
#include <sstream>

#include "harness/catalogue/catalogue.hpp"
#include "tests/catch.hpp"
#include "workloads/distillation/methods/describe.hpp"

namespace retrial::tests::methods_listed_tests {

using namespace retrial;

namespace {

std::string manual() {
  std::ifstream file(std::string(RETRIAL_SOURCE_DIR) + "/docs/workloads/distillation.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("the manual of distillation names every method") {
  const std::string text = manual();
  for (const auto& method : distillation::all_methods()) {
    CAPTURE(method.name);
    CHECK_THAT(text, has_text("`" + method.name + "`"));
  }
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
