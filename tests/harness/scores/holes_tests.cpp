// compare --scores --test skillings_mack: the numbers are those of tests/variance/tables/skillings_mack_tests.cpp.
#include <string>

#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/harness/scores/compare_scores.hpp"

namespace retrial::tests::holes_tests {

using fixture::Folder;
using retrial::tests::compare;
using retrial::tests::json_of;
using retrial::tests::write_file;

namespace {

/// The published example, one line per score; a hole is an empty score, or with `lines` left out.
std::string assembly(bool lines) {
  const char* const rows[9] = {"3.2 4.1 3.8 4.2", "3.1 3.9 3.4 4.0", "4.3 3.5 4.6 4.8",
                               "3.5 3.6 3.9 4.0", "3.6 4.2 3.7 3.9", "4.5 4.7 3.7 -",
                               "- 4.2 3.4 -",     "4.3 4.6 4.4 4.9", "3.5 - 3.7 3.9"};
  std::string text = lines ? "variant,pair,score\n" : "variant,task,score\n";
  for (int i = 0; i < 9; ++i) {
    std::string cell;
    int method = 0;
    for (const char* c = rows[i];; ++c) {
      if (*c != ' ' && *c != '\0') {
        cell += *c;
        continue;
      }
      const bool hole = cell == "-";
      if (lines || !hole)
        text += std::string(1, static_cast<char>('a' + method)) + "," + (lines ? "" : "t") + std::to_string(i) + "," +
                (hole ? "" : cell) + "\n";
      cell.clear();
      ++method;
      if (*c == '\0') break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("the published table with holes, as pairs and as tasks", "[cli][scores]") {
  const Folder here;
  for (const bool lines : {true, false}) {
    CAPTURE(lines);
    write_file("s.csv", assembly(lines));
    const Json found = json_of({"--test", "skillings_mack", "--higher"});
    CHECK_THAT(found.at("statistic").get<double>(), WithinRel(15.493048797529273, 1e-9));
    CHECK_THAT(found.at("p").get<double>(), WithinRel(.001440296302, 1e-9));
    CHECK(found.at("n") == 9);
    CHECK(found.at("pairs").size() == 6);
    CHECK(found.at("pairs")[4].at("rows") == 6);
    CHECK_THAT(found.at("notes").dump(), has_text("valid only if no score is missing because it would have been low"));
    // Reversed ranks: the same statistic, the other sign.
    const Json lower = json_of({"--test", "skillings_mack", "--lower"});
    CHECK_THAT(lower.at("statistic").get<double>(), WithinRel(15.493048797529273, 1e-9));
    CHECK(lower.at("variants")[0].at("weighted_rank_sum").get<double>() ==
          -found.at("variants")[0].at("weighted_rank_sum").get<double>());
  }
}

TEST_CASE("a table with holes is refused by tests of complete tables, with the next step", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", assembly(true));
  CHECK_THAT(compare({"--test", "friedman", "--higher"}).err, has_text("--test skillings_mack"));
  write_file("s.csv", assembly(false));
  const auto answer = compare({"--test", "friedman", "--higher"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("--test skillings_mack"));
}

TEST_CASE("a mean of some runs of a task needs a word, and a failed run is no loss here", "[cli][scores]") {
  const Folder here;
  const std::string text = "variant,task,score\na,x,1\na,x,\nb,x,2\nb,x,3\na,y,1\na,y,2\nb,y,2\nb,y,3\n";
  write_file("s.csv", text);
  CHECK_THAT(compare({"--test", "skillings_mack", "--higher"}).err, has_text("--failure drop"));
  CHECK(json_of({"--test", "skillings_mack", "--higher", "--failure", "drop"}).at("n") == 2);
  CHECK_THAT(compare({"--test", "skillings_mack", "--higher", "--failure", "loss"}).err,
             has_text("where a failed run is a hole"));
}

TEST_CASE("methods that no data set links are refused by name", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "variant,task,score\na,x,1\nb,x,2\na,z,1\nb,z,2\nc,y,1\nd,y,2\n");
  const auto answer = compare({"--test", "skillings_mack", "--higher"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("methods = a and c"));
}

}  // namespace retrial::tests::holes_tests
