// retrial compare: verdicts, requirements, stored verdicts. The exact rule itself is tested in tests/variance.
#include <limits>

#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::compare_tests {

using namespace retrial;
using fixture::Answer;
using fixture::Folder;
using fixture::json_of;
using fixture::StudySpec;

namespace {

/// n pairs of which the first `wins` are won by one point and the others lost.
StudySpec with_wins(std::size_t wins, std::size_t pairs) {
  StudySpec spec;
  spec.baseline.clear();
  spec.gains.clear();
  for (std::size_t i = 0; i < pairs; ++i) {
    spec.baseline.push_back(80.0 + static_cast<double>(i * 7 % 11));
    spec.gains.push_back(i < wins ? 1.0 + static_cast<double>(i % 5) / 8 : -1.0 - static_cast<double>(i % 3) / 8);
  }
  return spec;
}

}  // namespace

TEST_CASE("forty wins of forty-two are BETTER and meet --require better", "[cli][compare]") {
  const Folder here;
  fixture::write_store("s.db", with_wins(40, 42));
  const Answer answer = fixture::retrial({"compare", "s.db", "--require", "better"});
  CHECK(answer.exit == 0);
  CHECK(answer.out.starts_with("new is BETTER than plain\n"));
}

TEST_CASE("the candidate is the one the verdict is about", "[cli][compare]") {
  const Folder here;
  fixture::write_store("s.db", with_wins(40, 42));
  const Answer swapped = fixture::retrial({"compare", "s.db", "--candidate", "plain", "--baseline", "new"});
  CHECK(swapped.out.starts_with("plain is WORSE than new\n"));
  CHECK_THAT(swapped.out,
             has_text("not declared: the two sides were chosen after the runs; declared was new against plain"));
  CHECK(fixture::retrial({"compare", "s.db", "--candidate", "plain"}).out == swapped.out);
  CHECK(fixture::retrial({"compare", "s.db", "--candidate", "plain", "--require", "better"}).exit == 1);
  CHECK(fixture::retrial({"compare", "s.db", "--candidate", "plain", "--require", "not-worse"}).exit == 1);
}

TEST_CASE("variants with other images are not compared, by a verdict, a test or a family", "[cli][compare]") {
  const Folder here;
  StudySpec spec = with_wins(40, 42);
  spec.data = {{"plain", std::string(64, 'a')}, {"new", std::string(64, 'b')}};
  fixture::write_store("s.db", spec);
  for (const auto& more : std::vector<std::vector<std::string>>{{}, {"--test", "sign"}, {"--adjust", "holm"}}) {
    std::vector<std::string> words{"compare", "s.db"};
    words.insert(words.end(), more.begin(), more.end());
    const Answer answer = fixture::retrial(words);
    CHECK(answer.exit == 4);
    CHECK_THAT(answer.err, has_text("new and plain have different data: bbbbbbbbbbbb and aaaaaaaaaaaa\n"));
    CHECK(answer.out.empty());
  }
  // A report shows the rest of such a study, and the reason why it has no verdict.
  const Answer report = fixture::retrial({"report", "s.db", "--format", "md"});
  CHECK(report.exit == 0);
  CHECK_THAT(report.out, has_text("have different data"));
  spec.data["new"] = spec.data["plain"];
  fixture::write_store("same.db", spec);
  CHECK(fixture::retrial({"compare", "same.db"}).out.starts_with("new is BETTER than plain\n"));
}

TEST_CASE("ends without --require are 0 whatever the verdict", "[cli][compare]") {
  const Folder here;
  fixture::write_store("worse.db", with_wins(2, 42));
  fixture::write_store("open.db", with_wins(8, 12));
  CHECK(fixture::retrial({"compare", "worse.db"}).exit == 0);
  CHECK(fixture::retrial({"compare", "open.db"}).exit == 0);
}

TEST_CASE("an undecided comparison ends with 3 where a verdict is required and gives the number of further pairs",
          "[cli][compare]") {
  // Table of the exact rule: with 12 untied pairs BETTER from 10 wins, NOT MEANINGFUL up to 6, INCONCLUSIVE between.
  const Folder here;
  fixture::write_store("open.db", with_wins(8, 12));
  const Answer answer = fixture::retrial({"compare", "open.db", "--require", "better"});
  CHECK(answer.exit == 3);
  const Json verdict = json_of({"compare", "open.db", "--json"});
  CHECK(verdict.at("status") == "INCONCLUSIVE");
  CHECK(verdict.at("more_pairs").at("pairs").is_number_integer());
}

TEST_CASE("not-worse is shown when the baseline's advantage is excluded", "[cli][compare]") {
  // 20 of 42 won: neither better nor worse. Exchanged, P(Bin(42, .75) <= 22) = .001 < .05: the baseline does not win 75
  // %.
  const Folder here;
  fixture::write_store("even.db", with_wins(20, 42));
  CHECK(fixture::retrial({"compare", "even.db", "--require", "not-worse"}).exit == 0);
  CHECK(fixture::retrial({"compare", "even.db", "--require", "better"}).exit == 1);
  // 4 of 12 won: P(Bin(12, .5) >= 8) = .19 is not WORSE, and P(Bin(12, .75) <= 8) = .35 excludes nothing.
  fixture::write_store("few.db", with_wins(4, 12));
  CHECK(fixture::retrial({"compare", "few.db", "--require", "not-worse"}).exit == 3);
}

TEST_CASE("a stored design keeps the verdict of its gamma, and one without a gamma is the sign test",
          "[cli][compare]") {
  // Of 100 untied pairs 59 are the least with an exact tail of at most .05 (P = .0443), and P(Bin(100, .75) <= 67) =
  // .0446 excludes .75 (published table of the rule): so 60 wins are NOT MEANINGFUL with that gamma, and BETTER without
  // one.
  const Folder here;
  auto spec = with_wins(60, 100);
  fixture::write_store("old.db", spec);
  CHECK(json_of({"compare", "old.db", "--json"}).at("status") == "NOT MEANINGFUL");
  spec.gamma = std::nullopt;
  fixture::write_store("new.db", spec);
  const Json verdict = json_of({"compare", "new.db", "--json"});
  CHECK(verdict.at("status") == "BETTER");
  CHECK(verdict.at("design").at("gamma").is_null());
  CHECK(verdict.at("real").at("answer") == "yes");
  CHECK(verdict.at("large_enough").at("answer") == "not_asked");
  CHECK(fixture::retrial({"compare", "new.db", "--require", "better"}).exit == 0);
  // Equal by every count: nothing excludes a share that nobody declared.
  auto even = with_wins(20, 42);
  even.gamma = std::nullopt;
  fixture::write_store("even.db", even);
  CHECK(json_of({"compare", "even.db", "--json"}).at("status") == "INCONCLUSIVE");
  CHECK(fixture::retrial({"compare", "even.db", "--require", "not-worse"}).exit == 3);
}

TEST_CASE("a declared margin can show equivalence", "[cli][compare]") {
  const Folder here;
  auto spec = with_wins(10, 20);
  for (std::size_t i = 0; i < spec.gains.size(); ++i) spec.gains[i] = i % 2 == 0 ? 0.125 : -0.125;
  spec.margin = 0.5;
  fixture::write_store("same.db", spec);
  CHECK(json_of({"compare", "same.db", "--json"}).at("status") == "EQUIVALENT");
  CHECK(fixture::retrial({"compare", "same.db", "--require", "equivalent"}).exit == 0);
  CHECK(fixture::retrial({"compare", "same.db", "--require", "not-worse"}).exit == 0);
  CHECK(fixture::retrial({"compare", "same.db", "--require", "better"}).exit == 1);
}

TEST_CASE("trials that have not run are missing, not failed", "[cli][compare]") {
  const Folder here;
  fixture::write_store("part.db", {}, [](const auto& entry, auto&) { return entry.ordinal < 7; });
  const Answer answer = fixture::retrial({"compare", "part.db"});
  CHECK(answer.exit == 4);
  CHECK(answer.out.empty());
  CHECK_THAT(answer.err, has_text("part.db: 3 trials of the plan have not run yet, the first is new/3"));
  CHECK_THAT(answer.err, has_text("help: repeat the same retrial run command"));
}

TEST_CASE("a failed trial loses its pair, is left out, or refuses the verdict, as declared", "[cli][compare]") {
  const Folder here;
  const auto fails = [](const results::PlanEntry& entry, results::TrialRecord& record) {
    if (entry.variant != "new" || entry.pair_index != 0) return true;
    record.status = results::Status::failed;
    record.metrics.clear();
    return true;
  };
  for (const char* policy : {"loss", "drop", "refuse"}) {
    auto spec = with_wins(5, 5);
    spec.failure = policy;
    fixture::write_store(std::string(policy) + ".db", spec, fails);
  }
  const Json loss = json_of({"compare", "loss.db", "--json"});
  CHECK(loss.at("wins") == 4);
  CHECK(loss.at("losses") == 1);
  CHECK(loss.at("candidate_summary").at("missing") == 1);
  const Json drop = json_of({"compare", "drop.db", "--json"});
  CHECK(drop.at("pairs") == 4);
  CHECK(drop.at("dropped_pairs") == 1);
  const Json refuse = json_of({"compare", "refuse.db", "--json"});
  CHECK(refuse.at("status") == "INVALID");
  CHECK(refuse.at("reason") == "missing");
  CHECK(fixture::retrial({"compare", "refuse.db", "--require", "better"}).exit == 5);
}

TEST_CASE("a diverged trial loses its pair and stays in the denominator", "[cli][compare]") {
  const Folder here;
  fixture::write_store("div.db", with_wins(5, 5), [](const auto& entry, auto& record) {
    if (entry.variant == "new" && entry.pair_index == 2) {
      record.status = results::Status::diverged;
      record.metrics[0].value = std::numeric_limits<double>::quiet_NaN();
    }
    return true;
  });
  const Json verdict = json_of({"compare", "div.db", "--json"});
  CHECK(verdict.at("pairs") == 5);
  CHECK(verdict.at("wins") == 4);
  CHECK(verdict.at("candidate_summary").at("diverged") == 1);
}

TEST_CASE("names that do not exist suggest their neighbours", "[cli][compare]") {
  const Folder here;
  fixture::write_store("s.db");
  const Answer metric = fixture::retrial({"compare", "s.db", "--metric", "acuracy"});
  CHECK(metric.exit == 2);
  CHECK_THAT(metric.err, has_text("--metric = acuracy: no trial of this store has such a metric (allowed: ") &&
                             has_text("help: did you mean --metric accuracy?"));
  const Answer variant = fixture::retrial({"compare", "s.db", "--baseline", "plane"});
  CHECK(variant.exit == 2);
  CHECK_THAT(variant.err, has_text("did you mean --baseline plain?"));
  CHECK(fixture::retrial({"compare", "s.db", "--baseline", "new", "--candidate", "new"}).exit == 2);
}

TEST_CASE("the verdict is stored once for the same records and not at all where that is not wanted", "[cli][compare]") {
  const Folder here;
  fixture::write_store("s.db");
  const auto verdicts = [] { return results::Store("s.db", results::Store::Access::read).documents("verdict").size(); };
  (void)fixture::retrial({"compare", "s.db", "--no-store"});
  CHECK(verdicts() == 0);
  (void)fixture::retrial({"compare", "s.db"});
  (void)fixture::retrial({"compare", "s.db"});
  CHECK(verdicts() == 1);
  (void)fixture::retrial({"compare", "s.db", "--metric", "wall_s"});
  CHECK(verdicts() == 2);
}

TEST_CASE("a stored verdict holds its numbers as bits", "[cli][compare]") {
  const Folder here;
  fixture::write_store("s.db");
  const Json printed = json_of({"compare", "s.db", "--json"});
  const Json stored = results::Store("s.db", results::Store::Access::read).documents("verdict").at(0);
  CHECK(stored.at("paired_p").at("point") == results::hex_of_bits(printed.at("paired_p").at("point").get<double>()));
  CHECK(stored.at("wins") == printed.at("wins"));
}

TEST_CASE("a study without a comparison is judged by default levels, with a note", "[cli][compare]") {
  const Folder here;
  fixture::write_store("s.db", {.compares = false});
  const Answer answer = fixture::retrial({"compare", "s.db"});
  CHECK(answer.exit == 0);
  CHECK_THAT(answer.out, has_text("not declared: no design was declared before the first run"));
  CHECK_THAT(answer.out, has_text("new against plain"));
}

// The numbers of the first two: SciPy 1.17.1, ttest_1samp of the differences; Holm by hand.
TEST_CASE("all variants of a store against one of them are a family of claims", "[compare]") {
  const Folder folder;
  fixture::write_store("s.db", StudySpec{.third_gains = {3.0, 2.5, 2.75, 3.25, 2.0}});
  const auto claims = [](const std::vector<std::string>& more) {
    std::vector<std::string> line{"compare", "s.db", "--adjust", "holm", "--test", "paired_t", "--json"};
    line.insert(line.end(), more.begin(), more.end());
    const Answer answer = fixture::retrial(line);
    CAPTURE(answer.err);
    return results::parse_json(answer.out, "stdout").at("claims");
  };
  const Json plain = claims({});
  REQUIRE(plain.size() == 2);
  CHECK(plain[0].at("candidate") == "new");
  CHECK(plain[0].at("p_adjusted").get<double>() == Approx(0.07861139903123825).epsilon(1e-9));
  CHECK(plain[1].at("candidate") == "third");
  CHECK(plain[1].at("p_adjusted").get<double>() == Approx(2 * 0.00023161716370733565).epsilon(1e-9));
  CHECK(plain[1].at("verdict") == "BETTER");
  CHECK(claims({"--baseline", "third"})[0].at("baseline") == "third");
  // One claim is a test by itself.
  const Answer one =
      fixture::retrial({"compare", "s.db", "--adjust", "holm", "--test", "paired_t", "--candidate", "third", "--json"});
  const Json third = results::parse_json(one.out, "stdout");
  CHECK(third.at("candidate") == "third");
  CHECK(third.at("p").get<double>() == Approx(0.00023161716370733565).epsilon(1e-9));
  for (const char* option : {"--lower", "--aggregate=iqm", "--task=x"}) {
    const Answer answer = fixture::retrial({"compare", "s.db", "--adjust", "holm", option});
    CHECK(answer.exit == 2);
    CHECK(answer.out.empty());
  }
}

TEST_CASE("one pair has a difference and no interval, equal pairs an exact one, and others have both",
          "[cli][compare]") {
  const Folder here;
  fixture::write_store("one.db", StudySpec{.baseline = {90.0}, .gains = {1.5}});
  fixture::write_store("same.db", StudySpec{.gains = {0.5, 0.5, 0.5, 0.5, 0.5}});
  fixture::write_store("usual.db");
  const auto page = [](const std::string& store) { return fixture::retrial({"compare", store}).out; };
  const auto report = [](const std::string& store) {
    return fixture::retrial({"report", store, "--format", "md"}).out;
  };
  CHECK_THAT(page("one.db"), has_text("+1.5") && has_text("undefined (n = 1)"));
  CHECK_THAT(report("one.db"), has_text("undefined"));
  CHECK_THAT(page("same.db"), has_text("+0.5") && has_text("identical in every pair"));
  CHECK_THAT(report("same.db"), has_text("identical in every pair"));
  CHECK_THAT(page("usual.db") + report("usual.db"), !has_text("undefined (n") && !has_text("identical in"));
}

}  // namespace retrial::tests::compare_tests
