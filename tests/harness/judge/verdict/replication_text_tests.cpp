#include "harness/judge/verdict/replication_text.hpp"

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/harness/scores/compare_scores.hpp"

namespace retrial::tests::replication_text_tests {

using namespace retrial;
using fixture::Folder;

namespace {

const std::string six_pairs = "old,new\n1,2.1\n2,2.4\n3,4.2\n4,3.9\n5,6.3\n6,6.8\n";

Json of_scores(std::vector<std::string> words) {
  words.insert(words.begin(), "--higher");
  return json_of(std::move(words)).at("replication");
}

}  // namespace

TEST_CASE("a stored verdict says how often it would come out again", "[cli][compare]") {
  const Folder here;
  fixture::write_store("quick.db");
  // Four of five won, gamma .75: INCONCLUSIVE. The sum over scipy.stats.betabinom (scipy 1.17.1).
  const Json document = Json::parse(fixture::retrial({"compare", "quick.db", "--json"}).out);
  const Json& replication = document.at("replication");
  CHECK_THAT(replication.at("probability").at("point").get<double>(), WithinAbs(.6061662946, 1e-9));
  CHECK(replication.at("studies") == 0);
  CHECK(replication.at("why").is_null());
  CHECK_THAT(fixture::retrial({"compare", "quick.db"}).out, has_text("replication") && has_text("60.6 %"));
}

TEST_CASE("runs are drawn again only under a seed that somebody gave", "[cli][compare]") {
  const Folder here;
  write_file("s.csv", six_pairs);
  const Json without = of_scores({"--test", "paired_t"}), with = of_scores({"--test", "paired_t", "--seed", "3"});
  CHECK(without.at("probability").is_null());
  CHECK_THAT(without.at("why").get<std::string>(), has_text("--seed"));
  CHECK(with.at("studies") == 10'000);
  CHECK(with == of_scores({"--test", "paired_t", "--seed", "3"}));
  CHECK(with != of_scores({"--test", "paired_t", "--seed", "4"}));
  CHECK_FALSE(of_scores({"--test", "sign"}).at("probability").is_null());  // exact: nothing is drawn
}

TEST_CASE("an INVALID verdict has no replication", "[cli][compare]") {
  const Folder here;
  write_file("s.csv", "old,new\n1,1\n2,2\n3,3\n4,4\n5,5\n6,6\n");
  CHECK(of_scores({"--test", "sign"}).is_null());
  CHECK_THAT(compare({"--higher", "--test", "sign"}).out, !has_text("replication"));
}

}  // namespace retrial::tests::replication_text_tests
