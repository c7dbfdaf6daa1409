// compare OLD.db NEW.db: pairs by seeds, what is refused, what differs, and which outcomes are equal.
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::two_stores_tests {

using namespace retrial;
using fixture::Answer;
using fixture::Folder;
using fixture::StudySpec;

namespace {

Json json_of(std::vector<std::string> words) {
  words.emplace_back("--json");
  return fixture::json_of(words);
}

/// Ten pairs; both variants score `higher` more than in a store without it.
StudySpec ten_pairs(double higher = 0) {
  StudySpec spec;
  spec.baseline.clear();
  spec.gains.assign(10, 1.0);
  for (int i = 0; i < 10; ++i) spec.baseline.push_back(80.0 + i * 7 % 10 + higher);
  return spec;
}

const Json& only_claim(const Json& answer) {
  REQUIRE(answer.at("claims").size() == 1);
  return answer.at("claims")[0];
}

}  // namespace

TEST_CASE("trials of two stores with equal seeds are pairs, judged by the sign test", "[cli][across]") {
  const Folder here;
  fixture::write_store("old.db", ten_pairs());
  fixture::write_store("new.db", ten_pairs(0.5));
  const Json answer = json_of({"compare", "old.db", "new.db", "--variant", "new"});
  const Json& claim = only_claim(answer);
  CHECK(answer.at("schema") == "retrial.stores/1");
  CHECK(answer.at("declared") == false);
  CHECK(answer.at("compared")[0].at("pairs") == 10);
  CHECK(claim.at("test") == "sign");
  CHECK(claim.at("verdict") == "BETTER");
  CHECK(claim.at("details").at("wins") == 10);
  // Ten wins of ten: (1/2)^10, and twice that.
  CHECK(claim.at("p_better") == 0.0009765625);
  CHECK(claim.at("p") == 0.001953125);
  CHECK(claim.at("scores").at("difference").at("mean") == 0.5);
  CHECK(claim.at("scores").at("difference").at("sd") == 0.0);
  const Answer page = fixture::retrial({"compare", "old.db", "new.db", "--variant", "new"});
  CHECK(page.exit == 0);
  CHECK(page.out.starts_with("new in new.db is BETTER than new in old.db\n"));
  CHECK_THAT(page.out, has_text("not declared: this comparison of two stores was chosen after the runs"));
  CHECK_THAT(page.out, has_text("10 pairs with equal seeds"));
  // The numbers of both sides come before any statistic.
  CHECK(page.out.find("mean (%)") < page.out.find("statistic"));
}

TEST_CASE("trials without common seeds are independent runs, judged by Mann-Whitney", "[cli][across]") {
  const Folder here;
  StudySpec other = ten_pairs(30);
  other.first_seed = 1000;
  other.baseline.resize(5);
  other.gains.resize(5);
  StudySpec few = ten_pairs();
  few.baseline.resize(5);
  few.gains.resize(5);
  fixture::write_store("old.db", few);
  fixture::write_store("new.db", other);
  const Json claim = only_claim(json_of({"compare", "old.db", "new.db", "--variant", "plain"}));
  CHECK(claim.at("test") == "mann_whitney");
  CHECK(claim.at("paired") == false);
  // Five runs all above the other five: 2 of the C(10, 5) = 252 arrangements are as extreme.
  CHECK(claim.at("p") == 0.007936507937);
  const Answer paired = fixture::retrial({"compare", "old.db", "new.db", "--variant", "plain", "--test", "wilcoxon"});
  CHECK(paired.exit == 2);
  CHECK_THAT(paired.err,
             has_text("--test = wilcoxon: needs pairs, but no run of the one store has the seeds of a run"));
  CHECK_THAT(paired.err, has_text("help: run the new study with the --seed of the old one"));
  CHECK(paired.out.empty());
}

TEST_CASE("runs without a partner are left out of a paired test, and the page says how many", "[cli][across]") {
  const Folder here;
  StudySpec more = ten_pairs(0.5);
  more.baseline.insert(more.baseline.end(), {99, 98});
  more.gains.insert(more.gains.end(), {1, 1});
  fixture::write_store("old.db", ten_pairs());
  fixture::write_store("new.db", more);
  const Json answer = json_of({"compare", "old.db", "new.db", "--variant", "plain"});
  CHECK(only_claim(answer).at("n") == 10);
  CHECK(answer.at("compared")[0].at("candidate_runs") == 12);
  CHECK_THAT(fixture::retrial({"compare", "old.db", "new.db", "--variant", "plain"}).out,
             has_text("2 runs of new.db left out"));
  const Json all = json_of({"compare", "old.db", "new.db", "--variant", "plain", "--test", "mann_whitney"});
  CHECK(only_claim(all).at("n_candidate") == 12);
  CHECK(only_claim(all).at("n_baseline") == 10);
}

TEST_CASE("every variant that both stores have is compared, with one correction", "[cli][across]") {
  const Folder here;
  StudySpec with_third = ten_pairs(0.5);
  with_third.third_gains.assign(10, 2.0);
  fixture::write_store("old.db", ten_pairs());
  fixture::write_store("new.db", with_third);
  const Json answer = json_of({"compare", "old.db", "new.db"});
  REQUIRE(answer.at("claims").size() == 2);
  CHECK(answer.at("adjust") == "holm");
  CHECK(answer.at("claims")[0].at("task") == "plain");
  CHECK(answer.at("claims")[1].at("task") == "new");
  CHECK(answer.at("claims")[0].at("p_better_adjusted") == 2 * 0.0009765625);
  const Answer page = fixture::retrial({"compare", "old.db", "new.db"});
  CHECK_THAT(page.out, has_text("warning: only in new.db: third"));
  CHECK_THAT(page.out, has_text("plain: new.db - old.db"));
  // Variants of different names are named one by one.
  const Json named = json_of({"compare", "old.db", "new.db", "--baseline", "new", "--candidate", "third"});
  CHECK(only_claim(named).at("task") == "third - new");
  CHECK(only_claim(named).at("scores").at("difference").at("mean") == 1.5);
}

TEST_CASE("equal outcomes of one identity are counted, and the first that differs is named", "[cli][across]") {
  const Folder here;
  fixture::write_store("old.db", ten_pairs());
  fixture::write_store("new.db", ten_pairs());
  const Json same = json_of({"compare", "old.db", "new.db"});
  CHECK(same.at("same_identity").at("trials") == 20);
  CHECK(same.at("same_identity").at("equal_outcomes") == 20);
  // Nothing is left to test, and nothing is wrong: neither INVALID nor better, and not worse.
  CHECK(same.at("claims")[0].at("verdict") == "INCONCLUSIVE");
  CHECK(same.at("claims")[0].at("same_scores") == true);
  CHECK(same.at("claims")[0].at("p").is_null());
  CHECK(fixture::retrial({"compare", "old.db", "new.db", "--variant", "new"})
            .out.starts_with("new in new.db vs new in old.db: SAME SCORES\n"));
  CHECK(fixture::retrial({"compare", "old.db", "new.db", "--require", "not-worse", "--undeclared-ok"}).exit == 0);
  CHECK(fixture::retrial({"compare", "old.db", "new.db", "--require", "better"}).exit == 3);
  CHECK(json_of({"compare", "old.db", "new.db", "--test", "tost", "--margin", "1"}).at("claims")[0].at("verdict") ==
        "EQUIVALENT");
  fixture::write_store("moved.db", ten_pairs(), [](const auto& entry, auto& record) {
    if (entry.variant == "new" && entry.pair_index == 3) record.metrics[0].value += 0.25;
    return true;
  });
  // Nine ties of ten and one win: open, not INVALID for its ties.
  CHECK(json_of({"compare", "old.db", "moved.db"}).at("claims")[1].at("verdict") == "INCONCLUSIVE");
  const Answer page = fixture::retrial({"compare", "old.db", "moved.db"});
  CHECK_THAT(page.out, has_text("19 of 20 trials  with the same identity in both"));
  CHECK_THAT(page.out, has_text("next: retrial explain old.db new/3 moved.db new/3"));
  const Answer explained = fixture::retrial({"explain", "old.db", "new/3", "moved.db", "new/3"});
  CHECK(explained.exit == 1);
  CHECK(explained.out.starts_with("old.db new/3 vs moved.db new/3\n"));
  CHECK_THAT(explained.out, has_text("metric accuracy"));
  CHECK_THAT(explained.out, has_text("next: retrial replay old.db new/3"));
}

TEST_CASE("a recorded field that differs is named with both values", "[cli][across]") {
  const Folder here;
  fixture::write_store("old.db", ten_pairs());
  CHECK_THAT(fixture::retrial({"compare", "old.db", "old.db"}).err, has_text("is the same store twice"));
  fixture::write_store("new.db", ten_pairs(0.5), [](const auto& entry, auto& record) {
    record.manifest["machine"]["cpu_model"] = "another processor";
    if (entry.pair_index < 4) record.manifest["program"]["build_id"] = "beef";
    return true;
  });
  const Json answer = json_of({"compare", "old.db", "new.db", "--variant", "plain"});
  const Json& fields = answer.at("differences").at("fields");
  REQUIRE(fields.size() == 2);
  CHECK(fields[0].at("field") == "program.build_id");
  CHECK(fields[0].at("trials") == 4);
  CHECK(fields[1].at("field") == "machine.cpu_model");
  CHECK(fields[1].at("candidate") == "another processor");
  CHECK(fields[1].at("trials") == 10);
  const Answer page = fixture::retrial({"compare", "old.db", "new.db", "--variant", "plain"});
  CHECK_THAT(page.out, has_text("Differences"));
  CHECK_THAT(page.out, has_text("another processor"));
}

TEST_CASE("a failed trial counts as a loss of its pair", "[cli][across]") {
  const Folder here;
  fixture::write_store("old.db", ten_pairs());
  fixture::write_store("new.db", ten_pairs(0.5), fixture::one_failed_one_diverged);
  const Json claim = only_claim(json_of({"compare", "old.db", "new.db", "--variant", "new"}));
  CHECK(claim.at("details").at("wins") == 9);
  CHECK(claim.at("details").at("losses") == 1);
  CHECK(claim.at("scores").at("candidate").at("failed") == 1);
  CHECK(claim.at("scores").at("difference").at("n") == 9);
}

TEST_CASE("--require answers for two stores as for one test", "[cli][across]") {
  const Folder here;
  fixture::write_store("old.db", ten_pairs());
  fixture::write_store("new.db", ten_pairs(0.5));
  CHECK(fixture::retrial({"compare", "old.db", "new.db", "--require", "better", "--undeclared-ok"}).exit == 0);
  CHECK(fixture::retrial({"compare", "old.db", "new.db", "--require", "better"}).exit == 4);
  CHECK(fixture::retrial({"compare", "new.db", "old.db", "--require", "not-worse"}).exit == 1);
}

TEST_CASE("stores that ask different questions are refused with the reason", "[cli][across]") {
  const Folder here;
  fixture::write_store("old.db", ten_pairs());
  const auto refused = [](const std::vector<std::string>& more, int exit, const std::string& reason) {
    std::vector<std::string> words{"compare", "old.db"};
    words.insert(words.end(), more.begin(), more.end());
    const Answer answer = fixture::retrial(words);
    CAPTURE(answer.err, more);
    CHECK(answer.exit == exit);
    CHECK(answer.out.empty());
    CHECK_THAT(answer.err, has_text(reason));
  };
  StudySpec other = ten_pairs();
  other.workload = "sorting";
  fixture::write_store("sorting.db", other);
  refused({"sorting.db"}, 2, "sorting.db: workload = sorting: but fixture in old.db");
  StudySpec by_time = ten_pairs();
  by_time.metric = "wall_s";
  by_time.direction = "lower";
  fixture::write_store("time.db", by_time);
  refused({"time.db"}, 2, "time.db: metric = wall_s: but accuracy in old.db");
  fixture::write_store("turned.db", ten_pairs(), [](const auto&, auto& record) {
    record.defs[0].direction = results::Direction::lower;
    return true;
  });
  refused({"turned.db", "--metric", "accuracy"}, 2, "turned.db: direction of accuracy = lower: but higher in old.db");
  fixture::write_store("share.db", ten_pairs(), [](const auto&, auto& record) {
    record.defs[0].unit = "";
    return true;
  });
  refused({"share.db"}, 2, "unit of accuracy");
  StudySpec images = ten_pairs();
  images.data = {{"plain", std::string(64, 'a')}, {"new", std::string(64, 'a')}};
  fixture::write_store("images.db", images);
  refused({"images.db"}, 4, "have different data: aaaaaaaaaaaa and none");
  fixture::write_store("open.db", ten_pairs(), [](const auto& entry, auto&) { return entry.pair_index < 9; });
  refused({"open.db"}, 4, "1 trial of plain has not run yet");
  refused({"gone.db"}, 4, "gone.db: no such store");
  fixture::write_store("new.db", ten_pairs());
  refused({"new.db", "third.db"}, 2, "third.db: unexpected argument: two stores are compared");
  refused({"new.db", "--variant", "nwe"}, 2, "--variant = nwe: no such variant in old.db (allowed: plain, new)");
  refused({"new.db", "--variant", "new", "--candidate", "new"}, 2, "contradicts --baseline and --candidate");
  refused({"new.db", "--claims"}, 2, "is for one store");
  refused({"new.db", "--aggregate", "iqm"}, 2, "needs --scores");
  refused({"new.db", "--lower"}, 2, "--lower: contradicts the store: higher is better for metric accuracy");
  refused({"--variant", "new"}, 2, "--variant: is for two stores");
}

TEST_CASE("explain of two stores asks for a trial of each", "[cli][across][explain]") {
  const Folder here;
  fixture::write_store("old.db", ten_pairs());
  fixture::write_store("new.db", ten_pairs());
  const Answer same = fixture::retrial({"explain", "old.db", "new/3", "new.db", "new/3"});
  CHECK(same.exit == 0);
  CHECK_THAT(same.out, has_text("SAME BITS"));
  CHECK(json_of({"explain", "old.db", "new/3", "new.db", "new/3"}).at("a") == "old.db new/3");
  const Answer forgotten = fixture::retrial({"explain", "old.db", "new/3", "new.db"});
  CHECK(forgotten.exit == 2);
  CHECK_THAT(forgotten.err, has_text("new.db: is a store, and the trial in it is missing"));
  CHECK(fixture::retrial({"explain", "old.db", "new/3", "gone.db", "new/3"}).exit == 4);
}

}  // namespace retrial::tests::two_stores_tests
