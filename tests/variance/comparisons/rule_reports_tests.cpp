#include "tests/variance/comparisons/rule_reports.hpp"

#include "tests/catch.hpp"
#include "tests/house/kept_text.hpp"
#include "variance/random/bulk_draws.hpp"

namespace retrial::tests::rule_reports_tests {

namespace {

using retrial::test::kept_lines, retrial::test::lines_of;

const std::string kept = RETRIAL_SOURCE_DIR "/tests/golden/comparisons/rules.txt";

}  // namespace

TEST_CASE("what every rule prints of fixed scores is the same in every build and on every kind of instructions") {
  const auto expected = kept_lines(kept);
  REQUIRE(expected.size() > 200);
  const std::string best = retrial::variance::bulk_instructions();
  for (const char* most : {"avx512", "avx2", "scalar"}) {
    retrial::variance::limit_bulk_instructions(most);
    const auto found = lines_of(rules::report());
    INFO(most);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == expected[i]);
  }
  retrial::variance::limit_bulk_instructions(best.c_str());
}

TEST_CASE("every test of the tables is in the report of the rules") {
  std::string text = "\n";
  for (const std::string& line : kept_lines(kept)) text += line + "\n";
  for (const auto& test : retrial::variance::all_comparisons())
    CHECK_THAT(text, has_text(std::string(test.name) + " "));
  for (const auto& test : retrial::variance::all_omnibus_tests())
    CHECK_THAT(text, has_text(std::string(test.name) + " "));
  for (const auto& rule : retrial::variance::all_sequential_rules())
    CHECK_THAT(text, has_text("\nsequential " + std::string(rule.name) + " better "));
  for (const auto& family : retrial::variance::all_design_families())
    CHECK_THAT(text, has_text("\ndesign " + std::string(family.name) + " better "));
}

}  // namespace retrial::tests::rule_reports_tests
