// compare --scores --aggregate: one number per variant over tasks.
#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/harness/scores/compare_scores.hpp"

namespace retrial::tests::aggregates_tests {

using namespace retrial;
using fixture::Folder;

using retrial::tests::compare;
using retrial::tests::json_of;
using retrial::tests::tasks_text;
using retrial::tests::write_file;

TEST_CASE("aggregates over tasks: the point follows the definition", "[cli][scores]") {
  const Folder here;
  // rliable's own little matrices: x = [[1,2],[2,2],[1,1],[2,1]], y = [[1,1],[2,2],[3,3]], rows are runs.
  write_file("s.csv",
             "variant,task,score\ny,0,1\ny,1,1\ny,0,2\ny,1,2\ny,0,3\ny,1,3\n"
             "x,0,1\nx,1,2\nx,0,2\nx,1,2\nx,0,1\nx,1,1\nx,0,2\nx,1,1\n");
  const Json poi = json_of({"--higher", "--aggregate", "poi", "--seed", "1"});
  CHECK_THAT(poi.at("estimate").get<double>(), WithinAbs(1.0 / 3.0, 1e-9));
  CHECK(poi.at("verdict") == "INCONCLUSIVE");
  const Json mean = json_of({"--higher", "--aggregate", "mean", "--seed", "1"});
  CHECK(mean.at("variants")[0].at("estimate") == 2.0);
  CHECK(mean.at("estimate") == -0.5);
  const Json gap = json_of({"--higher", "--aggregate", "gap", "--target", "3", "--seed", "1"});
  CHECK(gap.at("variants")[0].at("estimate") == 1.0);
  CHECK(gap.at("estimate") == 0.5);
}

TEST_CASE("an aggregate where lower is better is the aggregate of the turned scores", "[cli][scores]") {
  const Folder here;
  const std::string text = tasks_text(3, 1.0);
  write_file("s.csv", text);
  for (const char* what : {"mean", "median", "iqm"}) {
    const Json higher = json_of({"--higher", "--aggregate", what, "--seed", "7", "--reps", "1000"});
    const Json lower = json_of({"--lower", "--aggregate", what, "--seed", "7", "--reps", "1000"});
    // The median task decides alone, and its five pairs reach p = 1/32, where 1/40 is asked.
    const bool decides = std::string(what) != "median";
    CHECK(higher.at("verdict") == (decides ? "BETTER" : "INCONCLUSIVE"));
    CHECK(lower.at("verdict") == (decides ? "WORSE" : "INCONCLUSIVE"));
    CHECK(higher.at("differences")[0].at("p_better") == lower.at("differences")[0].at("p_worse"));
    CHECK(higher.at("estimate") == lower.at("estimate"));
    CHECK(higher.at("paired") == true);
  }
  CHECK(compare({"--lower", "--aggregate", "gap"}).exit == 2);
}

TEST_CASE("one run a task has no interval, unless tasks are resampled", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "variant,task,score\na,x,1\nb,x,2\na,y,3\nb,y,5\na,z,2\nb,z,3\n");
  const auto answer = compare({"--higher", "--aggregate", "mean"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("one run says nothing about how runs vary"));
  CHECK(compare({"--higher", "--aggregate", "mean", "--task-bootstrap", "--seed", "1"}).exit == 0);
}

TEST_CASE("a task that only another metric has is no task of this one", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "variant,pair,task,metric,score\na,0,x,m,1\nb,0,x,m,2\na,1,x,m,1\nb,1,x,m,2\na,0,y,n,1\n");
  CHECK(json_of({"--higher", "--metric", "m", "--test", "sign"}).at("n") == 2);
  CHECK(json_of({"--higher", "--metric", "m", "--aggregate", "mean", "--seed", "1"}).at("tasks") == 1);
}

TEST_CASE("a profile falls from one to zero and has no verdict", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", tasks_text(2, 1.0));
  const Json found = json_of({"--higher", "--aggregate", "profile", "--seed", "7", "--reps", "1000"});
  const Json& curve = found.at("variants")[0].at("profile");
  REQUIRE(curve.size() == 101);
  for (std::size_t t = 1; t < curve.size(); ++t) CHECK(curve[t].at("share") <= curve[t - 1].at("share"));
  CHECK(curve.back().at("share") == 0.0);
  CHECK(found.at("verdict").is_null());
}

TEST_CASE("an aggregate needs every score, or the word that drops failed runs", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", tasks_text(2, 1.0) + "old,5,t0,\nnew,5,t0,3\n");
  CHECK(compare({"--higher", "--aggregate", "mean"}).exit == 2);
  const Json dropped = json_of({"--higher", "--aggregate", "mean", "--failure", "drop", "--seed", "1"});
  CHECK(dropped.at("n") == 5);
  CHECK(dropped.at("n_most") == 5);
}

}  // namespace retrial::tests::aggregates_tests
