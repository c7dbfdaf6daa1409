// Commands that read a store: exit codes, error lines, findings. Whole pages: golden_tests.cpp.
#include <cstdlib>
#include <fstream>

#include "harness/plan/trial_name.hpp"
#include "harness/run/commit/launch_lock.hpp"
#include "harness/stored/store_choice.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::store_choice_tests {

using namespace retrial;
using fixture::Answer;
using fixture::Folder;
using fixture::json_of;

namespace {

void write_garbage(const std::string& file) {
  std::ofstream(file) << "this is not a database, only some text in a file\n";
}

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

TEST_CASE("an error about a folder without a store explains how to make one", "[cli]") {
  const Folder here;
  const Answer answer = fixture::retrial({"compare"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("help: retrial run STUDY.toml creates one"));
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
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"show", "text.db"},
                                             {"status", "text.db"},
                                             {"compare", "text.db"},
                                             {"verify", "text.db"},
                                             {"explain", "text.db", "a/0", "b/0"}}) {
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
  CHECK_THAT(newest.err, has_text("holds 2 studies; showing the newest, second"));
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
  CHECK(harness::find_trial(plan, "new/3", "s.db").ordinal == 7);
  CHECK(harness::find_trial(plan, "#7", "s.db").variant == "new");
  const std::string identity = results::hex(plan[7].identity);
  CHECK(harness::find_trial(plan, identity, "s.db").ordinal == 7);
  CHECK(harness::find_trial(plan, identity.substr(0, 6), "s.db").ordinal == 7);
}

TEST_CASE("an invalid trial name and a trial that does not exist are different errors", "[cli]") {
  const auto plan = fixture::plan_of({});
  const auto exit_of = [&](const std::string& name) {
    try {
      (void)harness::find_trial(plan, name, "s.db");
    } catch (const Error& error) {
      return error.text.exit;
    }
    return Exit::ok;
  };
  for (const char* wrong : {"new", "abc", "#x", "new/x", "new/-1", "new/1.x", ""}) CHECK(exit_of(wrong) == Exit::usage);
  for (const char* absent : {"new/99", "old/0", "#99", "ffffffffffff", "new/0.3"})
    CHECK(exit_of(absent) == Exit::incomparable);
}

TEST_CASE("digits that several trials share are refused with the list of them", "[cli]") {
  auto plan = fixture::plan_of({});
  plan[1].identity = plan[0].identity;
  plan[1].identity[31] ^= 1;
  const std::string shared = results::hex(plan[0].identity).substr(0, 8);
  CHECK_THROWS_WITH(harness::find_trial(plan, shared, "s.db"),
                    has_text("matches several trials") && has_text("plain/0") && has_text("new/0"));
}

TEST_CASE("replicates of one identity are chosen by their number", "[cli]") {
  auto plan = fixture::plan_of({});
  plan[2] = plan[0];
  plan[2].ordinal = 2;
  plan[2].replicate = 1;
  CHECK(harness::trial_name(plan[2]) == "plain/0.1");
  CHECK(harness::find_trial(plan, "plain/0", "s.db").ordinal == 0);
  CHECK(harness::find_trial(plan, "plain/0.1", "s.db").ordinal == 2);
  CHECK(harness::find_trial(plan, results::hex(plan[0].identity), "s.db").ordinal == 0);  // one trial, not an ambiguity
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
  CHECK_THAT(fixture::retrial({"explain", "s.db", "new/0"}).err,
             has_text("an argument is missing") && has_text("help: usage: retrial explain [STORE] A [OTHER_STORE] B"));
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
    return results::Event{.at_ns = 5,
                          .kind = "started",
                          .identity = plan[ordinal].identity,
                          .attempt = results::Id16{name},
                          .detail = ""};
  };
  results::Event lost{
      .at_ns = 6, .kind = "lost", .identity = plan[7].identity, .attempt = results::Id16{2}, .detail = ""};
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

TEST_CASE("while a launch is alive its trials are running and its end is estimated, afterwards they are lost",
          "[cli][status]") {
  // Open are new/3, plain/4 and new/4: .75 + .5 + .75 = 2 s of computing, two at a time.
  const Folder here;
  fixture::write_store("s.db", {}, [](const auto& entry, auto&) { return entry.ordinal < 7; });
  const auto plan = fixture::plan_of({});
  std::vector<results::Event> events;
  for (const std::uint8_t place : {std::uint8_t{7}, std::uint8_t{8}})
    events.push_back({.at_ns = 5,
                      .kind = "started",
                      .identity = plan[place].identity,
                      .attempt = results::Id16{place},
                      .detail = ""});
  results::Store("s.db", results::Store::Access::write).append({}, events);
  {
    const harness::LaunchLock alive("s.db", results::Id16{9});
    const Json status = json_of({"status", "s.db", "--json"});
    CHECK(status.at("launches") == 1);
    CHECK(status.at("seconds_to_end") == 1.0);
    CHECK(status.at("running").size() == 2);
    const std::string page = fixture::retrial({"status", "s.db"}).out;
    CHECK_THAT(page, has_text("running  " + harness::trial_name(plan[7]) + " ("));
    CHECK_THAT(page, has_text("left     about 1.0 s with 2 trials at a time"));
    CHECK_THAT(page, has_text("next     retrial status s.db --watch"));
  }
  const std::string page = fixture::retrial({"status", "s.db"}).out;
  CHECK_THAT(page, has_text("running  none: no process works on this store; 2 trials ended with the process"));
  CHECK_THAT(page, has_text("next     repeat the same retrial run command"));
}

TEST_CASE("watching needs a terminal", "[cli][status]") {
  const Folder here;
  fixture::write_store("s.db");
  const Answer answer = fixture::retrial({"status", "s.db", "--watch"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("--watch: needs a terminal"));
}

TEST_CASE("status of a finished study suggests compare", "[cli][status]") {
  const Folder here;
  fixture::write_store("s.db");
  CHECK_THAT(fixture::retrial({"status", "s.db"}).out, has_text("next  retrial compare s.db"));
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

TEST_CASE("show --info counts the contents of the file", "[cli][show]") {
  const Folder here;
  fixture::write_store("s.db");
  const Json info = json_of({"show", "s.db", "--info", "--json"});
  CHECK(info.at("attempts") == 10);
  CHECK(info.at("by_status").at("ok") == 10);
  CHECK(info.at("outcome_digest").get<std::string>().size() == 64);
  CHECK(fixture::retrial({"show", "s.db", "--info"}).exit == 0);
}

TEST_CASE("a manifest is shown for one trial", "[cli][show]") {
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
  CHECK_THAT(answer.err, has_text("new/1: unexpected argument"));
}

}  // namespace retrial::tests::store_choice_tests
