// Pages of single tests: sizes of the difference, and tests of spread in their own words.
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/harness/scores/compare_scores.hpp"

namespace retrial::tests::test_page_tests {

using fixture::Folder;
using retrial::tests::compare;
using retrial::tests::json_of;
using retrial::tests::write_file;

namespace {

/// The page as one line: where it breaks is the width of the terminal.
std::string page_of(const std::vector<std::string>& words) {
  std::string out;
  for (const char c : compare(words).out)
    if (const char next = c == '\n' ? ' ' : c; next != ' ' || (!out.empty() && out.back() != ' ')) out += next;
  return out;
}

/// Pairs of which `steady` spreads a fifth as much, about the same mean.
const std::string spreads =
    "restless,steady\n70,80.4\n92,79.6\n85,80.9\n74,80.1\n88,79.2\n69,80.2\n91,79.9\n81,80.6\n77,79.5\n83,80.3\n";
/// The same restless runs against ten that lie five higher.
const std::string levels = "old,new\n80,85.5\n81,86\n79,84\n82,87.5\n80.5,85\n78,84.5\n81.5,86.5\n79.5,84.25\n";

}  // namespace

TEST_CASE("a test of spread answers in words of spread, on the page and in the document", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", spreads);
  for (const char* test : {"brown_forsythe", "variance_ratio", "pitman_morgan"}) {
    CAPTURE(test);
    CHECK(compare({"--test", test}).exit == 0);
    const auto page = page_of({"--test", test});
    CHECK(page.starts_with("steady is STEADIER than restless "));
    CHECK_THAT(page, has_text("less spread is steadier") && has_text("sd of the candidate / sd of the baseline"));
    CHECK_THAT(page, has_text("for each of steadier and less steady"));
    CHECK_THAT(page, !has_text("BETTER") && !has_text("is better") && !has_text("WORSE"));
    const Json document = json_of({"--test", test});
    CHECK(document.at("about") == "spread");
    CHECK(document.at("verdict") == "STEADIER");
    CHECK(json_of({"--test", test, "--candidate", "restless"}).at("verdict") == "LESS STEADY");
    CHECK(json_of({"--test", test, "--lower"}).at("p_better") == document.at("p_better"));
  }
}

TEST_CASE("the page of one test answers whether the difference is real and whether it is large enough",
          "[cli][scores]") {
  const Folder here;
  write_file("s.csv", levels);
  // The means differ by 5.22 with standard errors around half: p far below alpha, an interval beyond 2 and within 10.
  CHECK_THAT(page_of({"--higher", "--test", "welch"}),
             has_text("real: yes (p = ") && has_text(", alpha 0.05); large enough: not asked (no gamma, no margin)"));
  CHECK_THAT(page_of({"--higher", "--test", "welch", "--margin", "2"}), has_text("large enough (margin 2): yes"));
  CHECK_THAT(page_of({"--higher", "--test", "welch", "--margin", "10"}), has_text("large enough (margin 10): no"));
  CHECK_THAT(page_of({"--higher", "--test", "welch", "--margin", "5"}), has_text("large enough (margin 5): undecided"));
  CHECK_THAT(page_of({"--higher", "--test", "tost", "--margin", "10"}),
             has_text("real: not asked; large enough (margin 10): no"));
  CHECK_THAT(page_of({"--higher", "--test", "bayes_t", "--rope", "0.5"}), has_text("large enough (rope 0.5): yes"));
  // A margin is no question of a test that does not read it.
  CHECK_THAT(page_of({"--higher", "--test", "wilcoxon"}), has_text("large enough: not asked"));
  // Eight wins of eight: 2^-8 against equal variants, .75^8 against a win rate of 75 %,.
  const Json wins = json_of({"--higher", "--test", "pab_exact", "--gamma", "0.75"});
  CHECK(wins.at("real").at("answer") == "yes");
  CHECK(wins.at("real").at("p").get<double>() == Approx(0.00390625));
  const Json& bound = wins.at("large_enough").at("bounds").at(0);
  CHECK(bound.at("p_yes").get<double>() == Approx(0.1001129150390625));
  CHECK(bound.at("answer") == "undecided");
  CHECK(wins.at("large_enough").at("answer") == "undecided");
}

TEST_CASE("a requirement about the level is refused by a test of spread, in one line", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", spreads);
  for (const char* wanted : {"better", "equivalent", "not-worse"}) {
    const auto answer = compare({"--test", "brown_forsythe", "--require", wanted});
    CHECK(answer.exit == 2);
    CHECK(answer.out.empty());
    CHECK_THAT(answer.err, has_text("--require = " + std::string(wanted)) && has_text("about their spread"));
  }
}

TEST_CASE("several claims about spread are named as such", "[cli][scores]") {
  const Folder here;
  write_file(
      "s.csv", "variant,pair,task,score\n" + [] {
        std::string text;
        for (int task = 0; task < 2; ++task)
          for (int i = 0; i < 12; ++i) {
            const std::string place = "," + std::to_string(i) + ",t" + std::to_string(task) + ",";
            text += "old" + place + std::to_string(80 + (i * 7 + task) % 12) + "\n";
            text += "new" + place + std::to_string(80 + .1 * ((i * 5 + task) % 12)) + "\n";
          }
        return text;
      }());
  const auto page = page_of({"--test", "brown_forsythe"});
  CHECK_THAT(page, has_text("STEADIER and LESS STEADY need an adjusted p") && has_text("new is steadier than old"));
  CHECK_THAT(page, !has_text("BETTER") && !has_text("better"));
  const Json claims = json_of({"--test", "brown_forsythe"}).at("claims");
  CHECK(claims[0].at("verdict") == "STEADIER");
  CHECK(claims[0].at("deciding") == "STEADIER");
}

TEST_CASE("the page of a test has a standardized size, an ordinal one unless it is the estimate, and the spreads",
          "[cli][scores]") {
  const Folder here;
  write_file("s.csv", levels);
  const auto t = page_of({"--test", "paired_t", "--higher"});
  CHECK_THAT(t, has_text("hedges_g_av, large by the convention of Cohen 1988") && has_text("win_share"));
  CHECK_THAT(t, has_text("sd of new / sd of old") && has_text("below 1: new is steadier"));
  const auto sign = page_of({"--test", "sign", "--higher"});
  CHECK_THAT(sign, has_text("hedges_g_av") && !has_text("win_share"));
  const auto welch = page_of({"--test", "welch", "--higher"});
  CHECK_THAT(welch, has_text("hedges_g, ") && has_text("a12, large by the convention of Vargha and Delaney 2000"));
  const Json document = json_of({"--test", "welch", "--higher"});
  CHECK(document.at("effects").at("sizes").size() == 4);
  CHECK(document.at("effects").at("n_candidate") == 8);
  const Json ranks = json_of({"--test", "mann_whitney", "--higher"});
  CHECK(ranks.at("further")[0].at("method") == "Hodges-Lehmann, Moses");
  CHECK(ranks.at("further")[0].at("point") == 5.0);  // the median of the 64 differences, by NumPy
}

TEST_CASE("rows that are not independent runs have no sizes", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", levels);
  CHECK(json_of({"--test", "corrected_t", "--overlap", ".2", "--higher"}).at("effects").is_null());
  CHECK(json_of({"--test", "bayes_t", "--rho", ".1", "--higher"}).at("effects").is_null());
  CHECK_FALSE(json_of({"--test", "bayes_t", "--higher"}).at("effects").is_null());
  write_file("s.csv", "a,b\n0,1\n1,1\n0,0\n0,1\n");
  CHECK(json_of({"--test", "mcnemar", "--higher"}).at("effects").is_null());
}

TEST_CASE("sizes are of the scores that were measured, never of the stand-in for a failed run", "[cli][scores]") {
  const Folder here;
  std::string text = "variant,pair,score\n";
  for (int i = 0; i < 8; ++i) {
    text += "old," + std::to_string(i) + "," + std::to_string(80 + i % 3) + "\n";
    text += "new," + std::to_string(i) + "," + (i == 0 ? "" : std::to_string(81 + (i * 3) % 4)) + "\n";
  }
  write_file("s.csv", text);
  const Json effects = json_of({"--test", "sign", "--higher", "--failure", "loss"}).at("effects");
  CHECK(effects.at("n_candidate") == 7);
  CHECK(effects.at("sizes")[0].at("estimate").at("point") > 0.0);
}

}  // namespace retrial::tests::test_page_tests
