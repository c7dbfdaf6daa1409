// Effect sizes and spreads beside a verdict.
#include "harness/judge/verdict/evidence.hpp"

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::evidence_tests {

using fixture::Folder;
using fixture::json_of;
using fixture::StudySpec;

TEST_CASE("a verdict's page has a standardized size and the ratio of the spreads, its document all sizes",
          "[cli][compare]") {
  const Folder here;
  fixture::write_store("s.db");
  const auto page = fixture::retrial({"compare", "s.db"}).out;
  CHECK_THAT(page, has_text("difference / sd of a run") && has_text("hedges_g_av"));
  CHECK_THAT(page, has_text("sd of new / sd of plain"));
  CHECK_THAT(page, !has_text("win_share"));  // the first row of the evidence
  const Json effects = json_of({"compare", "s.db", "--json"}).at("effects");
  CHECK(effects.at("sizes").size() == 4);
  const auto report = fixture::retrial({"report", "s.db", "--format", "md"}).out;
  CHECK_THAT(report, has_text("sd of new / sd of plain") && has_text("difference / sd of a run"));
  // The stored document is the verdict alone.
  const Json stored = results::Store("s.db", results::Store::Access::read).documents("verdict").at(0);
  CHECK_FALSE(stored.contains("effects"));
}

TEST_CASE("a study cannot declare a test of spread, since a verdict is about the level", "[cli][compare]") {
  const Folder here;
  const auto answer = fixture::retrial({"plan", "null", "--test", "brown_forsythe"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("brown_forsythe") && has_text("allowed: pab_exact"));
}

}  // namespace retrial::tests::evidence_tests
