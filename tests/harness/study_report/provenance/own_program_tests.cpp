#include "harness/study_report/provenance/own_program.hpp"

#include "results/json/json.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::own_program_blocks_tests {

using namespace retrial;

TEST_CASE("the packages of an interpreter are folded and counted: a hundred lines say nothing about the verdict") {
  const Json environment{
      {"program", {{"working_folder", "/w"}, {"packages", {{"numpy", "2.4.6"}, {"pandas", "3.1.1"}}}}}};
  std::vector<report::Table> folded;
  for (const report::Block& block : harness::own_program_blocks(environment))
    if (const auto* table = std::get_if<report::Table>(&block); table != nullptr && table->folded)
      folded.push_back(*table);
  REQUIRE(folded.size() == 1);
  CHECK(folded[0].caption == "Packages of the interpreter: 2 packages");
  CHECK(folded[0].rows.size() == 2);
}

}  // namespace retrial::tests::own_program_blocks_tests
