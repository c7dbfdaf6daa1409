// compare --scores of several variants with independent runs. The numbers of each test are those of the library, whose
// own tests compare them with SciPy, statsmodels and scikit-posthocs; here the same scores come out of a file.
#include <string>

#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/harness/scores/compare_scores.hpp"

namespace retrial::tests::independent_groups_tests {

using fixture::Folder;
using retrial::tests::compare;
using retrial::tests::json_of;
using retrial::tests::write_file;

namespace {

/// The groups of tests/variance/groups/welch_anova_tests.cpp.
const std::string groups =
    "group,score\na,24.5\na,23.5\nb,28.4\na,26.4\na,27.1\na,29.9\nb,34.2\nb,29.5\nb,32.2\nb,30.1\nb,31.0\nc,26.1\nc,28."
    "3\n"
    "c,24.3\nc,26.2\nc,27.8\nc,25.0\nc,29.9\n";

Json pair_of(const Json& found, const std::string& candidate, const std::string& baseline) {
  for (const Json& pair : found.at("pairs"))
    if (pair.at("candidate") == candidate && pair.at("baseline") == baseline) return pair;
  FAIL("no pair " << candidate << " - " << baseline);
  return {};
}

}  // namespace

TEST_CASE("Welch's analysis of variance of a file, with the pairs of Games and Howell", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", groups);
  const Json found = json_of({"--test", "welch_anova", "--higher"});
  CHECK(found.at("schema") == "retrial.test/1");
  CHECK_THAT(found.at("statistic").get<double>(), WithinRel(7.782104118, 1e-9));
  CHECK_THAT(found.at("p").get<double>(), WithinRel(.01081174002, 1e-9));
  CHECK(found.at("differ") == true);
  CHECK(found.at("verdict").is_null());
  CHECK(found.at("n") == 18);
  CHECK(found.at("adjust").is_null());
  const Json pair = pair_of(found, "b", "c");
  CHECK_THAT(pair.at("estimate").get<double>(), WithinAbs(4.1, 1e-9));
  CHECK_THAT(pair.at("interval")[0].get<double>(), WithinAbs(1.0379488, 1e-6));
  CHECK(pair.at("verdict") == "BETTER");
  CHECK(pair_of(found, "a", "c").at("verdict") == "INCONCLUSIVE");
  CHECK(pair_of(found, "a", "b").at("verdict") == "WORSE");
}

TEST_CASE("where lower is better, the differences stay and the verdicts turn", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", groups);
  for (const char* test : {"welch_anova", "kruskal_wallis", "tukey"}) {
    CAPTURE(test);
    const Json higher = pair_of(json_of({"--test", test, "--higher"}), "b", "c");
    const Json lower = pair_of(json_of({"--test", test, "--lower"}), "b", "c");
    CHECK(higher.at("estimate") == lower.at("estimate"));
    CHECK(higher.at("p_adjusted") == lower.at("p_adjusted"));
    CHECK(higher.at("verdict") == "BETTER");
    CHECK(lower.at("verdict") == "WORSE");
  }
}

TEST_CASE("Dunnett's test compares every variant with the baseline", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", groups);
  const Json first = json_of({"--test", "dunnett", "--higher"});
  REQUIRE(first.at("pairs").size() == 2);
  CHECK(pair_of(first, "b", "a").at("verdict") == "BETTER");
  const Json named = json_of({"--test", "dunnett", "--higher", "--baseline", "b"});
  CHECK(pair_of(named, "a", "b").at("verdict") == "WORSE");
  CHECK(pair_of(named, "c", "b").at("interval")[1].get<double>() < 0.0);
  CHECK_THAT(compare({"--test", "dunnett", "--higher", "--baseline", "bb"}).err,
             has_text("did you mean --baseline b?"));
}

TEST_CASE("Dunn's pairs take a correction, other pairs have their own", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", groups);
  const Json holm = json_of({"--test", "kruskal_wallis", "--higher"});
  CHECK(holm.at("adjust") == "holm");
  const Json none = json_of({"--test", "kruskal_wallis", "--higher", "--adjust", "none"});
  CHECK(pair_of(none, "b", "c").at("p") == pair_of(holm, "b", "c").at("p"));
  CHECK(pair_of(none, "b", "c").at("p_adjusted") < pair_of(holm, "b", "c").at("p_adjusted"));
  const auto answer = compare({"--test", "tukey", "--higher", "--adjust", "holm"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("--adjust: does not apply to test tukey"));
}

TEST_CASE("options of two variants are refused, not ignored", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", groups);
  for (const char* option : {"--candidate=b", "--baseline=b", "--sides=two", "--margin=1", "--require=better"})
    for (const char* test : {"welch_anova", "tukey"}) {
      CAPTURE(option, test);
      CHECK(compare({"--test", test, "--higher", option}).exit == 2);
    }
}

TEST_CASE("a failed run is the worst score for ranks, and needs a policy for means", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "variant,score\na,5\na,6\na,7\nb,8\nb,\nb,9\nc,1\nc,2\nc,3\n");
  const Json ranks = json_of({"--test", "kruskal_wallis", "--higher"});
  // Ranks of b: 7 and 8 of nine, and 1 for the failed run; where lower is better it has rank 9 instead.
  CHECK_THAT(ranks.at("variants")[1].at("mean_rank").get<double>(), WithinAbs(18.0 / 3, 1e-9));
  CHECK_THAT(json_of({"--test", "kruskal_wallis", "--lower"}).at("variants")[1].at("mean_rank").get<double>(),
             WithinAbs(24.0 / 3, 1e-9));
  CHECK_THAT(ranks.at("notes").dump(), has_text("1 failed run counts as worse than every score"));
  const auto answer = compare({"--test", "welch_anova", "--higher"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("welch_anova cannot count a failed run as a loss (allowed: drop)"));
  CHECK(json_of({"--test", "welch_anova", "--higher", "--failure", "drop"}).at("n") == 8);
  CHECK(compare({"--test", "kruskal_wallis", "--higher", "--failure", "refuse"}).exit == 2);
}

TEST_CASE("a variant with too few scores, or without spread, is named", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "variant,score\na,5\na,6\nlone,8\nc,1\nc,2\n");
  const auto few = compare({"--test", "tukey", "--higher"});
  CHECK(few.exit == 2);
  CHECK_THAT(few.err, has_text("lone = 1 score: is not enough for this test (allowed: 2 or more)"));
  write_file("s.csv", "variant,score\na,5\na,6\nflat,8\nflat,8\nc,1\nc,2\n");
  CHECK_THAT(compare({"--test", "welch_anova", "--higher"}).err, has_text("flat = no spread"));
}

TEST_CASE("groups are of one task, and pairs that they do not use are said", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", tasks_text(2, 1.0));
  const auto answer = compare({"--test", "kruskal_wallis", "--higher"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("--task: must be given"));
  const Json found = json_of({"--test", "kruskal_wallis", "--higher", "--task", "t1"});
  CHECK_THAT(found.at("notes").dump(), has_text("pair numbers, which this test does not use"));
}

TEST_CASE("the variants of a store can be tested together", "[cli][scores]") {
  const Folder here;
  fixture::write_store("s.db", {.third_gains = {0.5, 0.25, -1.0, 0.75, 0.25}});
  const Json ranks = fixture::json_of({"compare", "s.db", "--test", "friedman", "--json"});
  CHECK(ranks.at("test") == "friedman");
  CHECK_THAT(ranks.at("notes").dump(), has_text("chosen after the runs"));
  CHECK(ranks.contains("kendall_w"));
  CHECK(ranks.at("methods").size() == 3);
  CHECK(ranks.at("n") == 5);
  const Json means = fixture::json_of({"compare", "s.db", "--test", "welch_anova", "--json"});
  CHECK(means.at("n") == 15);
  CHECK(means.at("pairs").size() == 3);
  // The level of the design holds, and no option says otherwise.
  fixture::write_store("strict.db", {.alpha = 0.01});
  for (const char* test : {"friedman", "skillings_mack", "kruskal_wallis"}) {
    CHECK(fixture::json_of({"compare", "strict.db", "--test", test, "--json"}).at("alpha") == 0.01);
    CHECK(fixture::retrial({"compare", "strict.db", "--test", test, "--alpha", "0.1"}).exit == 2);
  }
  CHECK(fixture::retrial({"compare", "s.db", "--test", "friedman", "--candidate", "new"}).exit == 2);
}

}  // namespace retrial::tests::independent_groups_tests
