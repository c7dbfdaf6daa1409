// report --scores: the figures of Agarwal et al. 2021. Its numbers are those of compare --scores --aggregate.
#include "results/text/file_system.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/harness/scores/compare_scores.hpp"

namespace retrial::tests::scores_report_tests {

using namespace retrial;
using fixture::Answer;
using fixture::Folder;

using retrial::tests::json_of;
using retrial::tests::tasks_text;
using retrial::tests::write_file;

namespace {

Json report_of(std::vector<std::string> words) {
  words.insert(words.begin(), {"report", "--scores", "s.csv", "--format", "json"});
  const Answer answer = fixture::retrial(words);
  INFO(answer.err);
  REQUIRE(answer.exit == 0);
  return results::parse_json(answer.out, "stdout");
}

/// rliable's own little matrices (its tests, Apache-2.0): x = [[1,2],[2,2],[1,1],[2,1]], y = [[1,1],[2,2],[3,3]], rows
/// are runs.
constexpr const char* matrices =
    "variant,task,score\ny,0,1\ny,1,1\ny,0,2\ny,1,2\ny,0,3\ny,1,3\n"
    "x,0,1\nx,1,2\nx,0,2\nx,1,2\nx,0,1\nx,1,1\nx,0,2\nx,1,1\n";

}  // namespace

TEST_CASE("the report has the numbers of rliable's own matrices", "[report][scores]") {
  const Folder here;
  write_file("s.csv", matrices);
  const Json report = report_of({"--higher", "--seed", "1", "--target", "3"});
  CHECK(report.at("schema") == "retrial.scores_report/1");
  // Reference group K of the specification: P(x over y) = 1/3; means 2 and 1.5, so a gap of 1 to the target 3.
  CHECK_THAT(report.at("improvement").at("estimate").get<double>(), WithinAbs(1.0 / 3.0, 1e-9));
  CHECK(report.at("aggregates")[1].at("test") == "mean");
  CHECK(report.at("aggregates")[1].at("variants")[0].at("estimate") == 2.0);
  CHECK(report.at("aggregates")[3].at("test") == "gap");
  CHECK(report.at("aggregates")[3].at("variants")[0].at("estimate") == 1.0);
  // The profile at the lowest threshold 1: strictly above it are 2/3 of the runs of y and half of those of x.
  const Json& profile = report.at("profile").at("variants");
  CHECK_THAT(profile[0].at("profile")[0].at("share").get<double>(), WithinAbs(2.0 / 3.0, 1e-9));
  CHECK(profile[1].at("profile")[0].at("share") == 0.5);
}

TEST_CASE("the report has the numbers that compare --aggregate prints", "[report][scores]") {
  const Folder here;
  write_file("s.csv", tasks_text(3, 1.0));
  const std::vector<std::string> options{"--higher", "--seed", "7", "--reps", "2000"};
  const Json report = report_of(options);
  const auto compared = [&](const char* what) {
    auto words = options;
    words.insert(words.end(), {"--aggregate", what});
    return json_of(words);
  };
  std::size_t i = 0;
  for (const char* what : {"iqm", "mean", "median", "gap"}) CHECK(report.at("aggregates")[i++] == compared(what));
  CHECK(report.at("profile") == compared("profile"));
  CHECK(report.at("improvement") == compared("poi"));
}

TEST_CASE("figures: one for each aggregate, profiles, improvement and both groups", "[report][scores]") {
  const Folder here;
  write_file("s.csv", tasks_text(3, 1.0));
  const auto write = [](const std::string& file) {
    return fixture::retrial({"report", "--scores", "s.csv", "--higher", "--seed", "7", "--reps", "1000", "--target",
                             "100", "-o", file})
        .exit;
  };
  CHECK(write("r.html") == 0);
  const std::string page = results::read_whole("r.html").value_or("");
  std::size_t figures = 0;
  for (auto at = page.find("<figure>"); at != std::string::npos; at = page.find("<figure>", at + 1)) ++figures;
  CHECK(figures == 7);
  for (const char* id : {"estimation", "variants", "aggregates", "profiles", "improvement", "files"})
    CHECK_THAT(page, has_text("<section id=\"" + std::string(id) + "\">"));
  // The same files and seed give the same bytes.
  CHECK(write("again.html") == 0);
  CHECK(results::read_whole("again.html") == page);
}

TEST_CASE("where lower is better there is no gap, and three variants have no estimation plot", "[report][scores]") {
  const Folder here;
  write_file("s.csv", tasks_text(2, 1.0) +
                          "third,0,t0,1\nthird,1,t0,2\nthird,2,t0,3\nthird,3,t0,4\nthird,4,t0,5\n"
                          "third,0,t1,1\nthird,1,t1,2\nthird,2,t1,3\nthird,3,t1,4\nthird,4,t1,5\n");
  const Answer page =
      fixture::retrial({"report", "--scores", "s.csv", "--lower", "--seed", "7", "--reps", "1000", "--format", "md"});
  CHECK(page.exit == 0);
  CHECK_THAT(page.out, has_text("There is no optimality gap"));
  CHECK_THAT(page.out, !has_text("Both groups and their difference"));
  CHECK_THAT(page.out, has_text("share of runs with a score below the threshold"));
  CHECK(report_of({"--lower", "--seed", "7", "--reps", "1000"}).at("aggregates").size() == 3);
}

TEST_CASE("a report of scores refuses what it would not read", "[report][scores]") {
  const Folder here;
  write_file("s.csv", matrices);
  const auto refused = [](std::vector<std::string> words, const std::string& reason) {
    words.insert(words.begin(), {"report", "--scores", "s.csv"});
    const Answer answer = fixture::retrial(words);
    CAPTURE(words);
    CHECK(answer.exit == 2);
    CHECK(answer.out.empty());
    CHECK_THAT(answer.err, has_text(reason));
  };
  refused({}, "--higher or --lower: must be given");
  refused({"--higher", "--study", "a"}, "--study: needs a store, not --scores");
  refused({"--higher", "--view", "a"}, "--view: needs a store, not --scores");
  refused({"--higher", "s.db"}, "s.db");
  refused({"--higher", "-o", "s.csv"}, "-o = s.csv");
  refused({"--higher", "--candidate", "z"}, "--candidate = z: no such variant");
  fixture::write_store("s.db");
  const Answer store = fixture::retrial({"report", "s.db", "--higher"});
  CHECK(store.exit == 2);
  CHECK_THAT(store.err, has_text("--higher: needs --scores"));
}

}  // namespace retrial::tests::scores_report_tests
