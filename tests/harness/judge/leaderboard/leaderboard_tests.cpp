// The leaderboard that compare shows for three or more variants, in its document.
#include "harness/judge/leaderboard/leaderboard.hpp"

#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::leaderboard_tests {

using retrial::Json;
using retrial::fixture::Folder;
using retrial::fixture::json_of;
using retrial::fixture::StudySpec;
using retrial::fixture::write_store;

namespace {

const std::vector<double> third{3.0, 2.5, 2.75, 3.25, 2.0};

Json member(const Json& board, const std::string& name) {
  for (const auto& each : board.at("members"))
    if (each.at("variant") == name) return each;
  return {};
}

}  // namespace

// SciPy 1.17.1: ttest_1samp of the five differences, t.ppf(1 - .05 / 2 / 2, 4) for the ends; Holm by hand.
TEST_CASE("compare judges every variant against the baseline, jointly, beside the declared pair") {
  const Folder folder;
  write_store("s.db", StudySpec{.third_gains = third});
  const Json document = json_of({"compare", "s.db", "--json"}), board = document.at("leaderboard");
  CHECK(document.at("candidate") == "new");
  CHECK(board.at("reference") == "plain");
  CHECK(board.at("declared") == false);
  CHECK(board.at("reference_mean").get<double>() == Approx(90.65));
  const Json fresh = member(board, "new"), best = member(board, "third");
  CHECK(fresh.at("mean").get<double>() == Approx(91.65));
  CHECK(fresh.at("mean_difference").get<double>() == Approx(1.0));
  CHECK(fresh.at("p_holm").get<double>() == Approx(0.07861139903123825).epsilon(1e-9));
  CHECK(fresh.at("low").get<double>() == Approx(-0.4881154532643439).epsilon(1e-9));
  CHECK(fresh.at("word") == "not settled");
  CHECK(best.at("p_two").get<double>() == Approx(0.00023161716370733565).epsilon(1e-9));
  CHECK(best.at("p_holm").get<double>() == Approx(2 * 0.00023161716370733565).epsilon(1e-9));
  CHECK(best.at("word") == "better");
}

namespace {

/// The page of `compare` as one line: where it breaks is the width of the terminal.
std::string page_of(const StudySpec& spec) {
  write_store("p.db", spec);
  auto page = retrial::fixture::retrial({"compare", "p.db"}).out;
  std::ranges::replace(page, '\n', ' ');
  std::filesystem::remove("p.db");
  return page;
}

}  // namespace

TEST_CASE("a page whose verdict and leaderboard follow different tests says which one counts") {
  const Folder folder;
  // All of five pairs are won by nearly the same: both tests call that better.
  const std::vector<double> even{2.0, 2.1, 1.9, 2.05, 1.95};
  const auto differ = page_of(StudySpec{.gains = even, .third_gains = third});
  INFO(differ);
  CHECK_THAT(differ, has_text("new is BETTER than plain"));
  CHECK_THAT(differ, has_text("the declared rule (pab_exact) asks: does the candidate win"));
  CHECK_THAT(differ, !has_text("the declared rule counts"));
  // All of five pairs are won by little, one of them by much: the t test settles nothing.
  const auto skewed = page_of(StudySpec{.gains = {0.1, 0.2, 0.1, 0.15, 9.0}, .third_gains = third});
  INFO(skewed);
  CHECK_THAT(skewed, has_text("new is BETTER by the declared rule and not settled here: the declared rule counts."));
}

TEST_CASE("the baseline of the command line is the reference, and a candidate stands alone") {
  const Folder folder;
  write_store("s.db", StudySpec{.third_gains = third});
  CHECK(json_of({"compare", "s.db", "--json", "--baseline", "new"}).at("leaderboard").at("reference") == "new");
  CHECK_FALSE(json_of({"compare", "s.db", "--json", "--candidate", "third"}).contains("leaderboard"));
  write_store("two.db");
  CHECK_FALSE(json_of({"compare", "two.db", "--json"}).contains("leaderboard"));
}

TEST_CASE("a variant with a failed run is not called better for the rest, and the count says why") {
  const Folder folder;
  write_store("s.db", StudySpec{.third_gains = third}, [](const auto& entry, auto& record) {
    if (entry.variant == "third" && entry.pair_index == 1) {
      record.status = results::Status::failed;
      record.metrics.clear();
    }
    return true;
  });
  const Json best = member(json_of({"compare", "s.db", "--json"}).at("leaderboard"), "third");
  CHECK(best.at("failed") == 1);
  CHECK(best.at("left_out") == 1);
  CHECK(best.at("pairs") == 4);
  CHECK(best.at("p_holm").get<double>() < 0.05);
  CHECK(best.at("word") == "not settled");
  CHECK_THAT(fixture::retrial({"compare", "s.db"}).out, has_text("that failed where the other finished"));
}

TEST_CASE("a pair in which both failed leaves no side with the better rest") {
  const Folder folder;
  write_store("s.db", StudySpec{.third_gains = third}, [](const auto& entry, auto& record) {
    if (entry.pair_index == 1) {
      record.status = results::Status::failed;
      record.metrics.clear();
    }
    return true;
  });
  const Json best = member(json_of({"compare", "s.db", "--json"}).at("leaderboard"), "third");
  CHECK(best.at("failed") == 1);
  CHECK(best.at("pairs") == 4);
  CHECK(best.at("p_holm").get<double>() < 0.05);
  CHECK(best.at("word") == "better");
  CHECK_THAT(fixture::retrial({"compare", "s.db"}).out, !has_text("is not called better here"));
}

TEST_CASE("a variant that has not finished is left out with the reason, and still counts in the family") {
  const Folder folder;
  write_store("s.db", StudySpec{.third_gains = third},
              [](const auto& entry, auto&) { return entry.variant != "third" || entry.pair_index != 4; });
  const Json board = json_of({"compare", "s.db", "--json"}).at("leaderboard");
  REQUIRE(board.at("left_out").size() == 1);
  CHECK(board.at("left_out")[0].at("variant") == "third");
  CHECK_THAT(board.at("left_out")[0].at("reason").get<std::string>(), has_text("has not run yet"));
  // Two claims, as if the third were there: the interval is that of the whole family above.
  CHECK(member(board, "new").at("low").get<double>() == Approx(-0.4881154532643439).epsilon(1e-9));
}

}  // namespace retrial::tests::leaderboard_tests
