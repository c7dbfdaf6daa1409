// compare --scores --test cochran_q: statsmodels 0.15.0, cochrans_q, as in tests/variance/tables/cochran_q_tests.cpp.
#include <string>

#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/harness/scores/compare_scores.hpp"

namespace retrial::tests::items_tests {

using fixture::Folder;
using retrial::tests::compare;
using retrial::tests::json_of;
using retrial::tests::write_file;

namespace {

const std::string right = "a,b,c\n1,1,1\n1,1,0\n1,0,0\n0,0,0\n1,1,0\n1,0,1\n1,1,0\n0,1,0\n1,0,0\n1,1,0\n1,1,1\n1,0,0\n";

}  // namespace

TEST_CASE("Cochran's Q of a file of items", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", right);
  const Json found = json_of({"--test", "cochran_q", "--higher"});
  CHECK_THAT(found.at("statistic").get<double>(), WithinRel(74.0 / 9, 1e-9));
  CHECK_THAT(found.at("p").get<double>(), WithinRel(.01638955379, 1e-9));
  CHECK(found.at("variants")[0].at("ones") == 10.0);
  CHECK(found.at("pairs")[1].at("p") == .015625);
  CHECK(found.at("pairs")[1].at("p_adjusted") == .046875);
  CHECK(found.at("pairs")[1].at("verdict") == "BETTER");
  // Errors instead of right answers: the same test, the other side.
  const Json errors = json_of({"--test", "cochran_q", "--lower"});
  CHECK(errors.at("p") == found.at("p"));
  CHECK(errors.at("pairs")[1].at("verdict") == "WORSE");
}

TEST_CASE("scores that are not 0 or 1 are refused", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "a,b,c\n1,0,1\n0,.5,1\n");
  const auto answer = compare({"--test", "cochran_q", "--higher"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("rows[1][1] = 0.5"));
}

}  // namespace retrial::tests::items_tests
