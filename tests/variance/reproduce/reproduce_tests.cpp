#include "variance/reproduce/reproduce.hpp"

#include <string>

#include "tests/catch.hpp"

namespace retrial::tests::reproduce_reproduce_tests {

using namespace retrial::variance;

// The references are constants of publications, other programs' tests and independent computations; most of the
// functions behind them have tests of their own in the file named after them.

TEST_CASE("every published table is reproduced, line by line") {
  for (const auto& row : all_reproductions()) {
    CAPTURE(row.name);
    const Reproduced table = row.run();
    CHECK(table.lines.size() >= 5);
    for (const auto& line : table.lines) {
      CAPTURE(line.what, line.value, line.reference);
      CHECK(line.ok());
    }
    CHECK(agrees(table));
  }
}

TEST_CASE("a line that is off by more than its tolerance, or has another length, is seen") {
  ReproducedLine line{.what = "", .value = {1.0, 2.0}, .reference = {1.0, 2.01}, .tolerance = .02};
  CHECK(line.ok());
  line.tolerance = .005;
  CHECK_FALSE(line.ok());
  CHECK_FALSE(ReproducedLine{.what = "", .value = {1.0}, .reference = {1.0, 2.0}, .tolerance = 1.0}.ok());
  CHECK_FALSE(ReproducedLine{.what = "", .value = {71.0, 95.0}, .reference = {71.0, 96.0}}.ok());
  Reproduced table = find_reproduction("rliable")->run();
  table.lines[0].value[0] += 1e-9;
  CHECK_FALSE(agrees(table));
}

TEST_CASE("tables are found by name, and the five of them are there") {
  std::string names;
  for (const auto& row : all_reproductions()) names += std::string(row.name) + " ";
  CHECK(names == "bouthillier demsar rliable confseq tigerbeetle ");
  CHECK(find_reproduction("demsar")->name == "demsar");
  CHECK(find_reproduction("Demsar") == nullptr);
}

TEST_CASE("the published number of runs is corrected in words") {
  const auto corrections = find_reproduction("bouthillier")->run().corrections;
  REQUIRE_FALSE(corrections.empty());
  CHECK_THAT(corrections.front(), has_text("29 -> 44"));
  CHECK_THAT(corrections.front(), has_text("exactly 42"));
}

}  // namespace retrial::tests::reproduce_reproduce_tests
