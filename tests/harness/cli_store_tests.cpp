// The commands that read a store: exit codes, error lines, what they find. Whole pages stand in cli_golden_tests.cpp.
#include <cstdlib>
#include <fstream>

#include "harness/store_argument.hpp"
#include "harness/trial_name.hpp"
#include "results/error.hpp"
#include "results/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/cli_fixture.hpp"

using namespace retrial;
using fixture::Answer;
using fixture::Folder;
using fixture::StudySpec;

namespace {

Json json_of(const std::vector<std::string>& words) { return results::parse_json(fixture::retrial(words).out, "stdout"); }

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

void write_garbage(const std::string& file) { std::ofstream(file) << "this is not a database, only some text in a file\n"; }

}  // namespace

// ---- which store ----

TEST_CASE("without an argument the only store of the folder is read", "[cli]") {
  const Folder here;
  fixture::write_store("quick.db");
  CHECK(fixture::retrial({"show"}).exit == 0);
  CHECK(fixture::retrial({"show", "new/0"}).exit == 0);
}

TEST_CASE("without an argument and with two stores the user must choose", "[cli]") {
  const Folder here;
  fixture::write_store("a.db");
  fixture::write_store("b.db");
  const Answer answer = fixture::retrial({"status"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("this folder has several (allowed: a.db, b.db)"));
}

TEST_CASE("a folder without a store says how to make one", "[cli]") {
  const Folder here;
  const Answer answer = fixture::retrial({"compare"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("help: retrial run STUDY.toml makes one"));
}

TEST_CASE("a mistyped store suggests its neighbour and is not created", "[cli]") {
  const Folder here;
  fixture::write_store("quick.db");
  const Answer answer = fixture::retrial({"show", "quikc.db"});
  CHECK(answer.exit == 4);
  CHECK(answer.err == "retrial: error: quikc.db: no such store\nhelp: did you mean quick.db?\n");
  CHECK_FALSE(std::filesystem::exists("quikc.db"));
}

TEST_CASE("a file that is no store is refused with exit 6 by every reading command", "[cli]") {
  const Folder here;
  write_garbage("text.db");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"show", "text.db"}, {"status", "text.db"}, {"compare", "text.db"}, {"verify", "text.db"}, {"explain", "text.db", "a/0", "b/0"}}) {
    const Answer answer = fixture::retrial(words);
    CAPTURE(words[0], answer.err);
    CHECK(answer.exit == 6);
    CHECK(answer.out.empty());
  }
}

TEST_CASE("of several studies the newest is shown and the others can be named", "[cli]") {
  const Folder here;
  fixture::write_store("two.db", {.name = "first"});
  fixture::write_store("two.db", {.name = "second"});
  const Answer newest = fixture::retrial({"show", "two.db"});
  CHECK_THAT(newest.out, has_text("Study second"));
  CHECK_THAT(newest.err, has_text("holds 2 studies; this is the newest, second"));
  const Answer named = fixture::retrial({"show", "two.db", "--study", "first"});
  CHECK_THAT(named.out, has_text("Study first"));
  CHECK(named.err.empty());
  const std::string digest = json_of({"show", "two.db", "--study", "first", "--json"}).at("study_digest");
  CHECK_THAT(fixture::retrial({"show", "two.db", "--study", digest.substr(0, 12)}).out, has_text("Study first"));
  CHECK(fixture::retrial({"show", "two.db", "--study", "third"}).exit == 4);
}

// ---- names of trials ----

TEST_CASE("a trial is found by variant and pair, by place, and by the digits of its identity", "[cli]") {
  const auto plan = fixture::plan_of({});
  CHECK(harness::find_trial(plan, "new/3").ordinal == 7);
  CHECK(harness::find_trial(plan, "#7").variant == "new");
  const std::string identity = results::hex(plan[7].identity);
  CHECK(harness::find_trial(plan, identity).ordinal == 7);
  CHECK(harness::find_trial(plan, identity.substr(0, 6)).ordinal == 7);
}

TEST_CASE("a name that is no trial is told apart from a trial that is not there", "[cli]") {
  const auto plan = fixture::plan_of({});
  const auto exit_of = [&](const std::string& name) {
    try {
      (void)harness::find_trial(plan, name);
    } catch (const Error& error) {
      return error.text.exit;
    }
    return Exit::ok;
  };
  for (const char* wrong : {"new", "abc", "#x", "new/x", "new/-1", "new/1.x", ""}) CHECK(exit_of(wrong) == Exit::usage);
  for (const char* absent : {"new/99", "old/0", "#99", "ffffffffffff", "new/0.3"}) CHECK(exit_of(absent) == Exit::incomparable);
}

TEST_CASE("digits that several trials share are refused with the list of them", "[cli]") {
  auto plan = fixture::plan_of({});
  plan[1].identity = plan[0].identity;
  plan[1].identity[31] ^= 1;
  const std::string shared = results::hex(plan[0].identity).substr(0, 8);
  CHECK_THROWS_WITH(harness::find_trial(plan, shared), has_text("names several trials") && has_text("plain/0") && has_text("new/0"));
}

TEST_CASE("replicates of one identity are told by their number", "[cli]") {
  auto plan = fixture::plan_of({});
  plan[2] = plan[0];
  plan[2].ordinal = 2;
  plan[2].replicate = 1;
  CHECK(harness::trial_name(plan[2]) == "plain/0.1");
  CHECK(harness::find_trial(plan, "plain/0").ordinal == 0);
  CHECK(harness::find_trial(plan, "plain/0.1").ordinal == 2);
  CHECK(harness::find_trial(plan, results::hex(plan[0].identity)).ordinal == 0);  // one trial, not an ambiguity
}

// ---- compare ----

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
  CHECK_THAT(swapped.out, has_text("not declared: the two sides were chosen after the runs; declared was new against plain"));
  CHECK(fixture::retrial({"compare", "s.db", "--candidate", "plain"}).out == swapped.out);
  CHECK(fixture::retrial({"compare", "s.db", "--candidate", "plain", "--require", "better"}).exit == 1);
  CHECK(fixture::retrial({"compare", "s.db", "--candidate", "plain", "--require", "not-worse"}).exit == 1);
}

TEST_CASE("ends without --require are 0 whatever the verdict", "[cli][compare]") {
  const Folder here;
  fixture::write_store("worse.db", with_wins(2, 42));
  fixture::write_store("open.db", with_wins(8, 12));
  CHECK(fixture::retrial({"compare", "worse.db"}).exit == 0);
  CHECK(fixture::retrial({"compare", "open.db"}).exit == 0);
}

TEST_CASE("an undecided comparison ends with 3 where a verdict is required and says how many pairs more", "[cli][compare]") {
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
  // 20 of 42 won: neither better nor worse. Exchanged, P(Bin(42, .75) <= 22) = .001 < .05: the baseline does not win 75 %.
  const Folder here;
  fixture::write_store("even.db", with_wins(20, 42));
  CHECK(fixture::retrial({"compare", "even.db", "--require", "not-worse"}).exit == 0);
  CHECK(fixture::retrial({"compare", "even.db", "--require", "better"}).exit == 1);
  // 4 of 12 won: P(Bin(12, .5) >= 8) = .19 is not WORSE, and P(Bin(12, .75) <= 8) = .35 excludes nothing.
  fixture::write_store("few.db", with_wins(4, 12));
  CHECK(fixture::retrial({"compare", "few.db", "--require", "not-worse"}).exit == 3);
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
  CHECK_THAT(answer.err, has_text("help: give the same retrial run line again"));
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
  CHECK_THAT(metric.err, has_text("--metric = acuracy: no trial of this store has such a metric (allowed: ") && has_text("help: did you mean --metric accuracy?"));
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

TEST_CASE("a study without a comparison is judged by default levels and says so", "[cli][compare]") {
  const Folder here;
  fixture::write_store("s.db", {.compares = false});
  const Answer answer = fixture::retrial({"compare", "s.db"});
  CHECK(answer.exit == 0);
  CHECK_THAT(answer.out, has_text("not declared: no design was declared before the first run"));
  CHECK_THAT(answer.out, has_text("new against plain"));
}

// ---- explain ----

TEST_CASE("equal trials have the same bits", "[cli][explain]") {
  const Folder here;
  fixture::write_store("s.db");
  const Answer answer = fixture::retrial({"explain", "s.db", "new/0", "new/0"});
  CHECK(answer.exit == 0);
  CHECK_THAT(answer.out, has_text("SAME BITS"));
}

TEST_CASE("a difference that no field explains ends with 1", "[cli][explain]") {
  const Folder here;
  fixture::write_store("s.db", {}, [](const auto& entry, auto& record) {
    record.manifest["randomness"]["init"] = "0";  // as if both had drawn the same
    record.manifest["trial"]["variant"] = "any";
    (void)entry;
    return true;
  });
  const Answer answer = fixture::retrial({"explain", "s.db", "new/0", "new/1"});
  CHECK(answer.exit == 1);
  CHECK_THAT(answer.out, has_text("UNEXPLAINED (violation)"));
  CHECK_THAT(answer.out, has_text("digest weights") && has_text("at step 0"));
}

TEST_CASE("a nondeterministic mode makes an unexplained difference a permitted one", "[cli][explain]") {
  const Folder here;
  fixture::write_store("s.db", {}, [](const auto&, auto& record) {
    record.manifest["randomness"]["init"] = "0";
    record.manifest["trial"]["variant"] = "any";
    record.manifest["numeric"]["requested"]["deterministic"] = false;
    return true;
  });
  CHECK_THAT(fixture::retrial({"explain", "s.db", "new/0", "new/1"}).out, has_text("UNEXPLAINED (permitted)"));
}

TEST_CASE("explain needs two trials, and both must have run", "[cli][explain]") {
  const Folder here;
  fixture::write_store("s.db", {}, [](const auto& entry, auto&) { return entry.ordinal != 9; });
  CHECK_THAT(fixture::retrial({"explain", "s.db", "new/0"}).err, has_text("an argument is missing") && has_text("help: usage: retrial explain [STORE] A B"));
  const Answer absent = fixture::retrial({"explain", "s.db", "new/0", "new/4"});
  CHECK(absent.exit == 4);
  CHECK_THAT(absent.err, has_text("has not run yet"));
}

// ---- status ----

TEST_CASE("a started attempt without an end counts as running, a lost or stopped one as missing", "[cli][status]") {
  const Folder here;
  fixture::write_store("s.db", {}, [](const auto& entry, auto&) { return entry.ordinal < 6; });
  const auto plan = fixture::plan_of({});
  const auto started = [&](std::size_t ordinal, std::uint8_t name) {
    return results::Event{.at_ns = 5, .kind = "started", .identity = plan[ordinal].identity, .attempt = results::Id16{name}, .detail = ""};
  };
  results::Event lost{.at_ns = 6, .kind = "lost", .identity = plan[7].identity, .attempt = results::Id16{2}, .detail = ""};
  const std::vector<results::Event> events{started(6, 1), started(7, 2), lost};
  results::Store("s.db", results::Store::Access::write).append({}, events);
  const Json status = json_of({"status", "s.db", "--json"}).at("total");
  CHECK(status.at("done") == 6);
  CHECK(status.at("running") == 1);
  CHECK(status.at("missing") == 3);
}

TEST_CASE("the time that is left is the open trials times the median of their variant", "[cli][status]") {
  // plain takes 0.5 s and new 0.75 s; one of plain and two of new are open: 0.5 + 1.5.
  const Folder here;
  fixture::write_store("s.db", {}, [](const auto& entry, auto&) { return entry.ordinal < 7; });
  CHECK(json_of({"status", "s.db", "--json"}).at("remaining_seconds") == 2.0);
}

TEST_CASE("a finished study is told to be compared", "[cli][status]") {
  const Folder here;
  fixture::write_store("s.db");
  CHECK_THAT(fixture::retrial({"status", "s.db"}).out, has_text("next: retrial compare s.db"));
}

// ---- verify ----

TEST_CASE("a changed byte in the file ends verify with 6 and names the row", "[cli][verify]") {
  const Folder here;
  fixture::write_store("s.db");
  (void)fixture::retrial({"verify", "s.db"});
  std::string bytes;
  {
    std::ifstream file("s.db", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  const auto at = bytes.rfind("\"baseline\":\"plain\"");
  REQUIRE(at != std::string::npos);
  bytes[at + 13] = 'q';
  std::ofstream("bad.db", std::ios::binary) << bytes;
  const Answer answer = fixture::retrial({"verify", "bad.db"});
  CHECK(answer.exit == 6);
  CHECK_THAT(answer.out, has_text("bad.db: ") && has_text("damaged"));
  const Json report = results::parse_json(fixture::retrial({"verify", "bad.db", "--json"}).out, "stdout");
  CHECK_FALSE(report.at("ok").get<bool>());
  CHECK(report.at("damaged").size() >= 1);
}

// ---- show ----

TEST_CASE("show --info counts what the file holds", "[cli][show]") {
  const Folder here;
  fixture::write_store("s.db");
  const Json info = json_of({"show", "s.db", "--info", "--json"});
  CHECK(info.at("attempts") == 10);
  CHECK(info.at("by_status").at("ok") == 10);
  CHECK(info.at("outcome_digest").get<std::string>().size() == 64);
  CHECK(fixture::retrial({"show", "s.db", "--info"}).exit == 0);
}

TEST_CASE("a manifest is asked for of one trial", "[cli][show]") {
  const Folder here;
  fixture::write_store("s.db");
  const Answer answer = fixture::retrial({"show", "s.db", "--manifest"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("help: retrial show s.db plain/0 --manifest"));
  CHECK(json_of({"show", "s.db", "plain/0", "--manifest", "--json"}).at("machine").at("cpu_model") == "Test CPU");
}

TEST_CASE("one argument too many is named", "[cli][show]") {
  const Folder here;
  fixture::write_store("s.db");
  const Answer answer = fixture::retrial({"show", "s.db", "new/0", "new/1"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("new/1: one argument too many"));
}
