// Trials of a scripted store next to the published rows. The five scores are the public re-runs of mdistiller's issue
// 7, moved from their claim of 76.32 to the survey's 90.33, so that t and p are the reference ones (-4.16763,
// 0.0140581).
#include <cmath>

#include "harness/ledger/page.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::commands_reproduce_tests {

using namespace retrial;
using fixture::Answer;
using fixture::Folder;

namespace {

const std::string row_id = "ruffy2019.table-3.KD.resnet26s.resnet8s";

struct Script {
  std::vector<double> scores{90.21, 89.81, 89.90, 89.86, 90.16};
  double best_above = 0;  ///< what the best epoch has more than the last one
  std::string data = "cifar10";
  std::string rows = R"({"train":50000,"test":10000})";
  std::map<std::string, std::string> set = {};  ///< on top of the published protocol
  bool unfinished = false;
};

Values values_of(const Script& script) {
  const auto& declaration = workloads::find_workload("distillation", "");
  const auto& row = published::find_row(*published::find_table("kd-survey"), row_id);
  Values values;
  for (const auto* settings : {&row.subject, &row.protocol})
    for (const auto& [key, value] : *settings) values[key] = workloads::parsed(declaration, key, value, "");
  for (const auto& [key, value] : script.set) values[key] = workloads::parsed(declaration, key, value, "");
  return workloads::resolved(declaration, values);
}

Json study_of(const Script& script) {
  Json document = fixture::study_document({.compares = false});
  document["workload"] = "distillation";
  document["pairs"] = script.scores.size();
  Json values = Json::object();
  for (const auto& [key, value] : values_of(script)) values[key] = results::canonical_value(value);
  document["variants"] = Json::array({{{"name", "kd"}, {"preset", "kd"}, {"values", values}}});
  return document;
}

results::TrialRecord record_of(const results::PlanEntry& entry, double score, const Script& script) {
  auto record = fixture::record_of(entry, score);
  record.defs.push_back({.name = "best_test", .unit = "%", .direction = results::Direction::higher});
  record.metrics.push_back({"best_test", -1, score + script.best_above});
  const std::string body = R"({"name":")" + script.data + R"(","rows":)" + script.rows + "}";
  record.artifacts = {{.name = "data",
                       .kind = "json",
                       .digest = results::sha256(body),
                       .bytes = static_cast<std::int64_t>(body.size()),
                       .body = body}};
  return record;
}

Answer judged(const Script& script, const std::vector<std::string>& more = {}) {
  const Folder here;
  {
    results::Store store("mine.db", results::Store::Access::write);
    auto plan = fixture::plan_of({.baseline = script.scores, .gains = std::vector<double>(script.scores.size())});
    std::erase_if(plan, [](const auto& entry) { return entry.variant == "plain"; });
    for (auto& entry : plan) entry.variant = "kd", entry.workload = "distillation";
    for (std::size_t i = 0; i < plan.size(); ++i) plan[i].ordinal = static_cast<std::int64_t>(i);
    store.put_study("mine", study_of(script), plan, {});
    for (std::size_t i = 0; i < plan.size(); ++i)
      if (!script.unfinished || i > 0) store.append(record_of(plan[i], script.scores[i], script));
  }
  std::vector<std::string> words{"reproduce", "kd-survey", "mine.db"};
  words.insert(words.end(), more.begin(), more.end());
  return fixture::retrial(words);
}

/// The words about the row.
Json row_of(const Answer& answer) {
  const Json document = Json::parse(answer.out);
  for (const Json& row : document.at("rows"))
    if (row.at("row").at("id") == row_id) return row;
  FAIL("no such row: " << answer.out << answer.err);
  return {};
}

std::vector<double> around(double mean) {
  return {mean - 0.1, mean + 0.1, mean - 0.05, mean + 0.05, mean};
}

}  // namespace

TEST_CASE("five runs below a published number refute it, with the reference t and p", "[cli][reproduce]") {
  const Answer answer = judged({}, {"--json"});
  CHECK(answer.exit == 1);
  const Json row = row_of(answer);
  CHECK(row.at("outcome") == "refuted");
  CHECK_THAT(row.at("check").at("t").get<double>(), WithinAbs(-4.16763, 5e-6));
  CHECK_THAT(row.at("check").at("p").get<double>(), WithinAbs(0.0140581, 5e-8));
  CHECK(row.at("check").at("n") == 5);
  const Answer page = judged({});
  CHECK_THAT(page.out, has_text("refuted"));
  CHECK_THAT(page.out, has_text("best test epoch"));
  // The 350 epochs of table 4 are another protocol.
  CHECK_THAT(page.out, has_text("published 350"));
}

TEST_CASE("runs around a published number confirm it within the margin, and a narrower one does not",
          "[cli][reproduce]") {
  const Answer near = judged({.scores = around(90.36)}, {"--json"});
  CHECK(near.exit == 0);  // table 2 says 90.40 of the same cell, and is confirmed as well
  CHECK(row_of(near).at("outcome") == "confirmed");
  const Answer narrow = judged({.scores = around(90.36)}, {"--json", "--margin", "0.1"});
  CHECK(narrow.exit == 3);
  CHECK(row_of(narrow).at("reason") == "too few runs for the margin");
}

TEST_CASE("one run decides nothing", "[cli][reproduce]") {
  const Answer answer = judged({.scores = {80.0}}, {"--json"});
  CHECK(answer.exit == 3);
  CHECK(row_of(answer).at("outcome") == "undecided");
  CHECK(row_of(answer).at("reason") == "one run");
}

TEST_CASE("data that are not the published files are not comparable", "[cli][reproduce]") {
  const Answer answer = judged({.data = "cifar10-unofficial"}, {"--json"});
  CHECK(answer.exit == 4);
  CHECK(row_of(answer).at("outcome") == "not comparable");
  CHECK_THAT(row_of(answer).at("reason").get<std::string>(), has_text("data differ: cifar10-unofficial"));
  const Json subset = row_of(judged({.set = {{"train_count", "5000"}}}, {"--json"}));
  CHECK(subset.at("reason") == "data differ: train_count = 5000, published 0");
  CHECK(row_of(judged({.set = {{"split", "oob"}}}, {"--json"})).at("outcome") == "not comparable");
  // A fifth of the training images is kept from training: another training set.
  CHECK(row_of(judged({.set = {{"validation", "0.2"}}}, {"--json"})).at("reason") ==
        "data differ: validation = 0.2, published 0.0");
}

TEST_CASE("official files that are a part of the published set confirm and refute nothing", "[cli][reproduce]") {
  // data_batch_1.bin and test_batch.bin alone keep the name cifar10.
  const Json row = row_of(judged({.rows = R"({"train":10000,"test":10000})"}, {"--json"}));
  CHECK(row.at("outcome") == "not comparable");
  CHECK(row.at("reason") ==
        "data differ: 10000 training and 10000 test rows, published 50000 training and 10000 test rows");
  CHECK_THAT(row_of(judged({.rows = "{}"}, {"--json"})).at("reason").get<std::string>(),
             has_text("lacks the number of images"));
}

TEST_CASE("another protocol is not comparable, and the keys are named", "[cli][reproduce]") {
  const Answer answer = judged({.set = {{"epochs", "30"}}}, {"--json"});
  CHECK(answer.exit == 4);
  CHECK(row_of(answer).at("differences").at(0).at("key") == "epochs");
  CHECK(row_of(answer).at("reason") == "protocol differs: epochs = 30, published 200");
  // .33,.66 of 200 epochs are epochs 66,132.
  CHECK(row_of(judged({.set = {{"milestones", "66,132"}}}, {"--json"})).at("outcome") == "refuted");
  CHECK(row_of(judged({.set = {{"milestones", "66,133"}}}, {"--json"})).at("outcome") == "not comparable");
}

TEST_CASE("a study that selects on the test set cannot confirm", "[cli][reproduce]") {
  const Answer answer = judged({.scores = around(90.36), .set = {{"select", "best-test"}}}, {"--json"});
  CHECK(answer.exit == 3);
  CHECK(row_of(answer).at("reason") == "the epoch was chosen on the test set");
}

TEST_CASE("a number published at its best test epoch is refuted only by best test epochs", "[cli][reproduce]") {
  const Json row = row_of(judged({.best_above = 0.34}, {"--json"}));
  CHECK(row.at("check").at("p").get<double>() < 0.05);
  CHECK(row.at("outcome") == "undecided");
  CHECK_THAT(row.at("reason").get<std::string>(), has_text("the best test epochs, as published, do not"));
}

TEST_CASE("runs without any spread are reported, not judged", "[cli][reproduce]") {
  const Json row = row_of(judged({.scores = {90.0, 90.0, 90.0}}, {"--json"}));
  CHECK(row.at("outcome") == "undecided");
  CHECK(row.at("reason") == "no variation");
  CHECK_THAT(row.at("check").at("difference").at("point").get<double>(), WithinAbs(-0.33, 1e-9));
}

TEST_CASE("a study that has not finished is not looked at", "[cli][reproduce]") {
  const Answer answer = judged({.unfinished = true});
  CHECK(answer.exit == 4);
  CHECK_THAT(answer.err, has_text("1 trial of the plan has not run yet"));
}

TEST_CASE("a study without published counterparts has a note", "[cli][reproduce]") {
  const Folder here;
  fixture::write_store("quick.db");
  const Answer answer = fixture::retrial({"reproduce", "kd-survey", "quick.db"});
  CHECK(answer.exit == 4);
  CHECK_THAT(answer.out, has_text("No variant of this study matches a published row"));
}

TEST_CASE("without a store the ledger prints its claims with the runs that each would take", "[cli][reproduce]") {
  const Json document = Json::parse(fixture::retrial({"reproduce", "kd-survey", "--json"}).out);
  CHECK(document.at("schema") == "retrial.ledger/1");
  const Json& a = document.at("claims").at(0).at("gaps").at(0);
  CHECK_THAT(a.at("value").get<double>(), WithinAbs(0.91, 1e-9));
  // statsmodels 0.15.0, TTestIndPower().power(gap / sd, n, .05): the least n with .9 (the normal formula says 4 and
  // 26).
  CHECK(a.at("seeds_needed") == 5);
  const Json wider = Json::parse(fixture::retrial({"reproduce", "kd-survey", "--json", "--sd", "1"}).out);
  CHECK(wider.at("claims").at(0).at("gaps").at(0).at("seeds_needed") == 27);
  CHECK(harness::runs_needed(0.35, 1.43) == 3);
  CHECK(harness::runs_needed(0.35, -0.35) == 23);
  CHECK_FALSE(harness::runs_needed(1.0, 1e-6));  // more than a million
  const Answer page = fixture::retrial({"reproduce", "lost-in-pruning"});
  CHECK(page.exit == 0);
  CHECK_THAT(page.out, has_text("printed change -5.44"));
}

TEST_CASE("pruned networks on other data are shown with the published rows of their method and judge none",
          "[cli][reproduce]") {
  const Folder here;
  Json document = fixture::study_document({.compares = false});
  document["workload"] = "pruning";
  document["variants"] = Json::array({{{"name", "wt"}, {"preset", "wt"}, {"values", Json::object()}}});
  auto plan = fixture::plan_of({.baseline = {94.0, 95.5, 92.0}, .gains = {0, 0, 0}});
  std::erase_if(plan, [](const auto& entry) { return entry.variant == "plain"; });
  {
    results::Store store("mine.db", results::Store::Access::write);
    for (std::size_t i = 0; i < plan.size(); ++i)
      plan[i].variant = "wt", plan[i].workload = "pruning", plan[i].ordinal = static_cast<std::int64_t>(i);
    document["pairs"] = plan.size();
    store.put_study("mine", document, plan, {});
    for (const auto& entry : plan) {
      auto record = record_of(entry, 94.0 + static_cast<double>(entry.pair_index), {.data = "digits"});
      record.defs.push_back({.name = "potential_nominal_max", .unit = "%", .direction = results::Direction::higher});
      record.metrics.push_back({"potential_nominal_max", -1, 94.0 + static_cast<double>(entry.pair_index)});
      store.append(record);
    }
  }
  const Answer answer = fixture::retrial({"reproduce", "lost-in-pruning", "mine.db", "--json"});
  INFO(answer.err);
  CHECK(answer.exit == 4);
  const Json printed = Json::parse(answer.out);
  REQUIRE(printed.at("rows").size() ==
          10);  // those of wt: two of nominal data, three of noise, four corruptions, excess
  for (const Json& row : printed.at("rows")) {
    CHECK(row.at("outcome") == "not comparable");
    CHECK_THAT(row.at("reason").get<std::string>(), has_text("data differ: digits, published cifar10"));
    if (row.at("row").at("id") == "liebenwein2021.potential.resnet20.wt") CHECK(row.at("check").at("mean") == 95.0);
  }
}

TEST_CASE("options that would do nothing are refused", "[cli][reproduce]") {
  for (const auto& words : std::vector<std::vector<std::string>>{{"reproduce", "bouthillier", "--sd", "1"},
                                                                 {"reproduce", "bouthillier", "mine.db"},
                                                                 {"reproduce", "kd-survey", "--margin", "1"},
                                                                 {"reproduce", "kd-survey", "a.db", "b.db"},
                                                                 {"reproduce", "kd-survey", "--sd", "0"},
                                                                 {"reproduce", "kd-survy"}}) {
    const Answer answer = fixture::retrial(words);
    INFO(words.back() << answer.err);
    CHECK(answer.exit == 2);
    CHECK(answer.out.empty());
  }
}

}  // namespace retrial::tests::commands_reproduce_tests
