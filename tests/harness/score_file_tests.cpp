// retrial compare --scores and --test: files, verdicts, what is refused. The tests themselves are tested in
// tests/variance; whole command lines in tests/cli/scores.case.

#include "harness/score_file.hpp"
#include "harness/score_lines.hpp"
#include "results/error.hpp"
#include "results/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/cli_fixture.hpp"
#include "tests/harness/program.hpp"

using namespace retrial;
using fixture::Folder;

using retrial::tests::write_file;

namespace {

std::string refusal(const std::string& text) {
  write_file("s.csv", text);
  try {
    (void)harness::read_scores("s.csv", harness::score_text("s.csv"));
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

Json json_of(const std::vector<std::string>& words) {
  return results::parse_json(fixture::retrial(words).out, "stdout");
}

}  // namespace

TEST_CASE("columns, quotes, blanks, a byte order mark and Windows line ends", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "\xEF\xBB\xBF\"old, slow\" , new\r\n 1.5 ,2e1\r\n-3,4\r\n");
  const auto file = harness::read_scores("s.csv", harness::score_text("s.csv"));
  CHECK(file.names == std::vector<std::string>{"old, slow", "new"});
  CHECK(file.scores == std::vector<std::vector<double>>{{1.5, -3}, {20, 4}});
  CHECK_FALSE(file.grouped);
}

TEST_CASE("groups come in any order, a first column of words names the lines", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "group,score\nb,1\na,2\nb,3\n");
  const auto groups = harness::read_scores("s.csv", harness::score_text("s.csv"));
  CHECK(groups.grouped);
  CHECK(groups.names == std::vector<std::string>{"b", "a"});
  CHECK(groups.scores[0] == std::vector<double>{1, 3});
  write_file("s.csv", "set,a,b\nx,1,2\ny,3,4\n");
  CHECK(harness::read_scores("s.csv", harness::score_text("s.csv")).names == std::vector<std::string>{"a", "b"});
}

TEST_CASE("what is not a table of scores is refused with its line", "[cli][scores]") {
  const Folder here;
  CHECK(refusal("a,b\n1,x\n") == "s.csv:2: b = x: not a finite number");
  CHECK(refusal("a,b\n1,inf\n") == "s.csv:2: b = inf: not a finite number");
  CHECK(refusal("a,b\n1,2,3\n") == "s.csv:2: 3 fields, the header has 2");
  CHECK(refusal("a,b\n1,\n2,3\n") == "s.csv:2: b: the score is missing");
  CHECK_THAT(refusal("a,a\n1,2\n"), has_text("two columns have this name"));
  CHECK_THAT(refusal("1,2\n3,4\n"), has_text("a number where a name should stand"));
  CHECK_THAT(refusal("a\n1\n"), has_text("nothing to compare it with"));
  CHECK_THAT(refusal(""), has_text("a header and at least one line"));
  CHECK_THAT(refusal("a,\"b\n1,2\n"), has_text("a quote is not closed on its line"));
}

TEST_CASE("a test of a stored study gives the numbers of the same scores in a file", "[cli][scores]") {
  const Folder here;
  fixture::StudySpec spec;
  fixture::write_store("s.db", spec);
  std::string text = "plain,new\n";
  for (std::size_t i = 0; i < spec.baseline.size(); ++i)
    text += std::to_string(spec.baseline[i]) + "," + std::to_string(spec.baseline[i] + spec.gains[i]) + "\n";
  write_file("s.csv", text);
  const Json stored = json_of({"compare", "s.db", "--test", "paired_t", "--json"});
  const Json from_file = json_of({"compare", "--scores", "s.csv", "--test", "paired_t", "--higher", "--json"});
  for (const char* key : {"test", "statistic", "p", "estimate", "interval", "level", "method", "n", "verdict"})
    CHECK(stored.at(key) == from_file.at(key));
  CHECK_THAT(stored.at("notes").dump(), has_text("was chosen after the runs"));
}

TEST_CASE("--require turns the verdict of a test into an exit code", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "old,new\n1,3\n2,4.5\n3,5.2\n1,3.3\n2,4.1\n3,5.4\n");
  const std::vector<std::string> line{"compare", "--scores", "s.csv", "--test", "paired_t", "--require"};
  const auto exit_of = [&](const std::string& requirement, const std::string& direction) {
    auto words = line;
    words.push_back(requirement);
    words.push_back(direction);
    return fixture::retrial(words).exit;
  };
  CHECK(exit_of("better", "--higher") == 0);
  CHECK(exit_of("better", "--lower") == 1);
  CHECK(exit_of("not-worse", "--lower") == 1);
  CHECK(exit_of("equivalent", "--higher") == 1);
}

TEST_CASE("two runs of a test that draws print the same document under one seed", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "group,score\na,1\na,2\na,4\nb,2\nb,3\nb,7\n");
  const std::vector<std::string> line{"compare",  "--scores", "s.csv",  "--test", "aso",
                                      "--higher", "--json",   "--seed", "3"};
  CHECK(fixture::retrial(line).out == fixture::retrial(line).out);
  const Json drawn = json_of({"compare", "--scores", "s.csv", "--test", "aso", "--higher", "--json"});
  CHECK(drawn.at("seed").is_string());  // drawn once and printed
  const Json exact = json_of({"compare", "--scores", "s.csv", "--test", "mann_whitney", "--higher", "--json"});
  CHECK(exact.at("seed").is_null());
}

TEST_CASE("the list of tests is the table of tests", "[cli][scores]") {
  const Json listed = json_of({"list", "tests", "--json"});
  for (const char* name : {"pab_exact", "welch", "mann_whitney", "iman_davenport"})
    CHECK_THAT(listed.dump(), has_text(std::string("\"name\":\"") + name));
}

TEST_CASE("words for tests and intervals hold for stores too", "[cli][scores]") {
  const Folder here;
  fixture::write_store("s.db");
  CHECK(json_of({"compare", "s.db", "--bayes", "sign", "--rope", "0.1", "--json"}).at("test") == "bayes_sign");
  CHECK(json_of({"compare", "s.db", "--aso", "--json"}).at("test") == "paired_aso");
  const Json wilson = json_of({"compare", "s.db", "--test", "sign", "--interval", "wilson", "--json"});
  CHECK(wilson.at("interval_method") == "wilson");
  CHECK(fixture::retrial({"compare", "s.db", "--bayes", "hierarchical"}).exit == 2);
  CHECK(fixture::retrial({"compare", "s.db", "--test", "paired_t", "--interval", "wilson"}).exit == 2);
  CHECK(fixture::retrial({"compare", "s.db", "--aggregate", "iqm"}).exit == 2);
}
