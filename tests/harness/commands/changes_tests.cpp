// retrial changes: where a history of scores changed. The indices of `steps` are those of Apache Otava's own tests
// (Apache-2.0), as in tests/variance/history/changepoint_tests.cpp.
#include <string>
#include <vector>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::changes_tests {

using fixture::Folder;
using retrial::tests::write_file;

namespace {

const std::vector<std::string> steps{"0.3",  "2.4",   "1.5",   "-0.9",  "-0.5",  "99.7",  "98.3",
                                     "99.1", "149.0", "149.7", "149.5", "149.1", "148.8", "150.0"};

/// One line per commit c0, c1, ...
std::string history() {
  std::string text = "commit,time\n";
  for (std::size_t i = 0; i < steps.size(); ++i) text += "c" + std::to_string(i) + "," + steps[i] + "\n";
  return text;
}

fixture::Answer asked(std::vector<std::string> words) {
  words.insert(words.begin(), "changes");
  return fixture::retrial(words);
}

Json found(std::vector<std::string> words) {
  words.emplace_back("--json");
  const auto answer = asked(words);
  INFO(answer.err);
  REQUIRE(answer.exit == 0);
  return results::parse_json(answer.out, "stdout");
}

const std::vector<std::string> commits{"--scores", "h.csv", "--columns", "variant=commit,score=time"};

std::vector<std::string> with(std::vector<std::string> words) {
  words.insert(words.begin(), commits.begin(), commits.end());
  return words;
}

}  // namespace

TEST_CASE("the jumps of a history are found by each method, with their commits", "[cli][scores]") {
  const Folder here;
  write_file("h.csv", history());
  for (const std::vector<std::string>& method : {std::vector<std::string>{"--seed", "1"},
                                                 {"--method", "partition", "--min-segment", "2"},
                                                 {"--method", "windowed", "--alpha", "0.01", "--window", "30"}}) {
    CAPTURE(method);
    const Json page = found(with(method));
    CHECK(page.at("schema") == "retrial.changes/1");
    REQUIRE(page.at("series").size() == 1);
    const Json& one = page.at("series")[0];
    CHECK(one.at("points") == 14);
    CHECK(one.at("changes") == Json::array({5, 8}));
    CHECK(one.at("segments")[1].at("from_label") == "c5");
    CHECK(one.at("segments")[1].at("to_label") == "c7");
    // Means by hand: 2.8 / 5 and 297.1 / 3.
    CHECK_THAT(one.at("segments")[0].at("mean").get<double>(), WithinAbs(.56, 1e-9));
    CHECK_THAT(one.at("segments")[1].at("difference").get<double>(), WithinAbs(297.1 / 3 - .56, 1e-8));
    CHECK(one.at("segments")[1].at("is") == "up");
  }
}

TEST_CASE("a change is better or worse where the direction is known", "[cli][scores]") {
  const Folder here;
  write_file("h.csv", history());
  CHECK(found(with({"--lower", "--seed", "1"})).at("series")[0].at("segments")[1].at("is") == "worse");
  CHECK(found(with({"--higher", "--seed", "1"})).at("series")[0].at("segments")[1].at("is") == "better");
}

TEST_CASE("a history of noise shows no change, and the same seed gives the same document", "[cli][scores]") {
  const Folder here;
  write_file("h.csv", "commit,time\na,3\nb,1\nc,2\nd,3\ne,1\nf,2\ng,1\nh,3\n");
  const Json page = found(with({"--seed", "7"}));
  CHECK(page.at("series")[0].at("changes").empty());
  CHECK(page.at("series")[0].at("segments").size() == 1);
  CHECK(page == found(with({"--seed", "7"})));
  CHECK(found(with({"--method", "partition"})).at("seed").is_null());
}

TEST_CASE("several runs of one commit are one point, and a commit without a score is left out", "[cli][scores]") {
  const Folder here;
  write_file("h.csv", "commit,time\na,1\na,3\nb,2\nc,\nd,9\nd,9\nd,12\ne,10\n");
  const Json page = found(with({"--method", "partition", "--min-segment", "2"}));
  const Json& one = page.at("series")[0];
  CHECK(one.at("points") == 4);
  CHECK(one.at("changes") == Json::array({2}));
  CHECK(one.at("segments")[1].at("mean") == 10.0);
  CHECK_THAT(page.at("notes").dump(), has_text("1 point without a score left out"));
  CHECK(found(with({"--method", "partition", "--min-segment", "2", "--within", "median"}))
            .at("series")[0]
            .at("segments")[1]
            .at("mean") == 9.5);
}

TEST_CASE("columns are histories of their own that share alpha, and so are tasks", "[cli][scores]") {
  const Folder here;
  std::string text = "load,save\n";
  for (const std::string& step : steps) text += step + ",1\n";
  write_file("h.csv", text);
  const Json page = found({"--scores", "h.csv", "--seed", "1"});
  REQUIRE(page.at("series").size() == 2);
  CHECK(page.at("alpha") == .025);
  CHECK(page.at("series")[0].at("name") == "load");
  CHECK(page.at("series")[0].at("changes") == Json::array({5, 8}));
  CHECK(page.at("series")[1].at("changes").empty());
  CHECK(found({"--scores", "h.csv", "--seed", "1", "--variant", "load"}).at("alpha") == .05);
}

TEST_CASE("as many permutations are drawn as alpha needs", "[cli][scores]") {
  const Folder here;
  write_file("h.csv", history());
  CHECK(found(with({"--seed", "1"})).at("permutations") == 199);
  CHECK(found(with({"--seed", "1", "--alpha", "0.001"})).at("permutations") == 999);
  const auto answer = asked(with({"--seed", "1", "--alpha", "0.001", "--reps", "500"}));
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("--reps = 500"));
}

TEST_CASE("what cannot be read as a history is one error with the next step", "[cli][scores]") {
  const Folder here;
  write_file("h.csv", "commit,time\na,1\nb,3\n");
  const auto few = asked(with({}));
  CHECK(few.exit == 2);
  CHECK_THAT(few.err, has_text("history = 2 points: is too short (allowed: 4 to 4000 points)"));
  CHECK_THAT(few.err, has_text("--columns variant=commit,score=time"));
  write_file("h.csv", history());
  CHECK_THAT(asked({}).err, has_text("--scores: must be given"));
  CHECK_THAT(asked(with({"--method", "partition", "--reps", "99"})).err, has_text("is not read by --method partition"));
  CHECK_THAT(asked(with({"--penalty", "2"})).err, has_text("is not read by --method edivisive"));
  CHECK_THAT(asked(with({"--variant", "c99"})).err, has_text("no such variant"));
  CHECK_THAT(asked(with({"--task", "x"})).err, has_text("no such task"));
  CHECK_THAT(asked(with({"--metric", "x"})).err, has_text("no such metric"));
  CHECK(asked(with({"extra"})).exit == 2);
}

}  // namespace retrial::tests::changes_tests
