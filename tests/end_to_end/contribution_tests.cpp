// A workload brings its own section, view, listing and audit: that of tests/survey does, and no file of the programs
// names it.
#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::contribution_tests {

using retrial::Json;

namespace {

/// Two variants of two pairs, with the published code or with the corrected one.
void write_study(const Folder& folder, const std::string& code) {
  retrial::tests::write_file(folder / "s.toml",
                             "schema = 1\nname = \"s\"\nworkload = \"survey\"\nseed = 1\npairs = 2\n[set]\ncode = \"" +
                                 code + "\"\n[variant.nokd]\n[variant.dropout]\n");
}

void store(const Folder& folder, const std::string& code) {
  write_study(folder, code);
  const Ran ran = run_survey(folder, {"run", "s.toml", "--db", "s.db"});
  INFO(ran.out << ran.err);
  REQUIRE(ran.code == 0);
}

Json json_of(const Folder& folder, const std::vector<std::string>& words) {
  const Ran ran = run_survey(folder, words);
  INFO(ran.out << ran.err);
  return Json::parse(ran.out);
}

/// As `show` reads it from the store.
Json recorded_accuracy(const Folder& folder, const std::string& trial) {
  const Json document = json_of(folder, {"show", "s.db", trial, "--json"});
  for (const Json& metric : document.at("metrics"))
    if (metric.at("name") == "accuracy") return metric.at("value");
  return nullptr;
}

}  // namespace

TEST_CASE("a view of a workload is text and JSON with the same numbers") {
  const Folder folder;
  store(folder, "mended");
  const Json document = json_of(folder, {"report", "s.db", "--view", "accuracies", "--json"});
  CHECK(document.at("schema") == "retrial.survey/1");
  CHECK(document.at("finished") == true);
  REQUIRE(document.at("accuracies").size() == 4);
  CHECK(document.at("accuracies").at(0).at("variant") == "nokd");
  CHECK(document.at("accuracies").at(0).at("accuracy") == recorded_accuracy(folder, "nokd/0"));
  const Ran page = run_survey(folder, {"report", "s.db", "--view", "accuracies"});
  CHECK_THAT(page.out, has_text("accuracy of each run") && has_text("nokd") && has_text("dropout"));
}

TEST_CASE("a formula that a folder registers is listed, answers on one line, and writes its files") {
  const Folder folder;
  const Ran page = run_survey(folder, {"list", "formulas"});
  CHECK(page.code == 0);
  CHECK_THAT(page.out, has_text("soft_share"));
  CHECK_THAT(run_survey(folder, {"list", "formulas", "--json"}).out,
             has_text("retrial show --formula soft_share weights=0.5,0.5;1,2") &&
                 has_text("share of the teacher's term in the loss"));
  const Ran answer = run_survey(folder, {"show", "--formula", "soft_share", "weights=0.5,0.5;1,2"});
  CHECK(answer.code == 0);
  CHECK(answer.out == "{\"share\":0.625}\n");
  const Ran refused = run_survey(folder, {"show", "--formula", "soft_share", "weights=0.5"});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, has_text("weights = 1 in a row: out of range (allowed: w_ce,w_soft in each row)"));
  CHECK(run_survey(folder, {"show", "--formula", "soft_share", "weights=1,2", "-o", "rows.txt"}).code == 0);
  const Ran ending = run_survey(folder, {"show", "--formula", "soft_share", "weights=1,2", "-o", "rows.csv"});
  CHECK(ending.code == 2);
  CHECK_THAT(ending.err, has_text("-o = rows.csv: a file of no known ending (allowed: .txt (the rows in words))"));
  CHECK_THAT(run_survey(folder, {"--complete", "--", "show", "--formula", "soft"}).out, has_text("soft_share"));
}

TEST_CASE("a listing of a workload is a topic of list, in text and in JSON, beside the others") {
  const Folder folder;
  const Ran page = run_survey(folder, {"list", "defects"});
  CHECK(page.code == 0);
  CHECK_THAT(page.out, has_text("Planted defects") && has_text("an attention loss is computed and never added"));
  const Json document = json_of(folder, {"list", "defects", "--json"});
  CHECK(document.at("schema") == "retrial.list/1");
  CHECK(document.at("defects").at(0).at("variant") == "kd");
  CHECK_THAT(run_survey(folder, {"list"}).out, has_text("what is wrong with each variant of the survey"));
  CHECK(json_of(folder, {"list", "--json"}).at("defects").size() == 2);
  const Ran former = run_survey(folder, {"list", "--planted"});
  CHECK(former.code == 2);
  CHECK_THAT(former.err, has_text("retrial list defects"));
}

TEST_CASE("an option of a view is set like a key") {
  const Folder folder;
  store(folder, "mended");
  const auto rows = [&](const std::string& from) {
    return json_of(folder, {"report", "s.db", "--view", "accuracies", "--set", "from=" + from, "--json"})
        .at("accuracies")
        .size();
  };
  CHECK(rows("0") == 4);
  CHECK(rows("1") == 2);
  const Ran high = run_survey(folder, {"report", "s.db", "--view", "accuracies", "--set", "from=2000"});
  CHECK(high.code == 2);
  CHECK_THAT(high.err, has_text("accuracies.from = 2000: out of range") && has_text("[0, 1000]"));
  const Ran other = run_survey(folder, {"report", "s.db", "--view", "accuracies", "--set", "form=1"});
  CHECK(other.code == 2);
  CHECK_THAT(other.err, has_text("did you mean --set from=VALUE?"));
  const Ran near = run_survey(folder, {"report", "s.db", "--view", "acuracies"});
  CHECK(near.code == 2);
  CHECK_THAT(near.err, has_text("did you mean --view accuracies?"));
}

TEST_CASE("the report of a workload has the section that it contributes") {
  const Folder folder;
  store(folder, "mended");
  CHECK_THAT(run_survey(folder, {"report", "s.db"}).out, has_text("== Accuracies =="));
  const Json document = json_of(folder, {"report", "s.db", "--format", "json"});
  CHECK(document.at("survey").at("accuracies").size() == 4);
}

TEST_CASE("an audit finds the planted defect in a store, and nothing in its corrected twin") {
  const Folder planted, corrected;
  store(planted, "survey");
  store(corrected, "mended");
  const Ran page = run_survey(planted, {"verify", "s.db", "--full"});
  CHECK(page.code == 6);
  CHECK_THAT(page.out, has_text("2 findings") && has_text("rows-alone") && has_text("dropout/1"));
  CHECK_THAT(page.out, has_text("student: logits move by") && !has_text("nokd/"));
  const Json document = json_of(planted, {"verify", "s.db", "--full", "--json"});
  CHECK(document.at("ok") == false);
  CHECK(document.at("damaged").empty());
  CHECK(document.at("findings").at(0).at("trial") == "dropout/0");
  CHECK(run_survey(planted, {"verify", "s.db"}).code == 0);  // every digest agrees
  CHECK(run_survey(corrected, {"verify", "s.db", "--full"}).code == 0);
  CHECK(json_of(corrected, {"verify", "s.db", "--full", "--json"}).at("findings").empty());
}

TEST_CASE("check audits the trials that it runs") {
  const Folder folder;
  const auto check = [&](const std::string& code, const std::vector<std::string>& more) {
    write_study(folder, code);
    std::vector<std::string> words{"check", "s.toml",    "--variant", "dropout",       "--seeds",
                                   "2",     "--repeats", "2",         "--no-interrupt"};
    words.insert(words.end(), more.begin(), more.end());
    return run_survey(folder, words);
  };
  const Ran planted = check("survey", {});
  CHECK(planted.code == 1);
  CHECK_THAT(planted.out, has_text("rows-alone: every source at pair 0") && has_text("student: logits move by"));
  CHECK(Json::parse(check("survey", {"--json"}).out).at("variants").at(0).at("findings").at(0).at("kind") ==
        "rows-alone");
  const Ran corrected = check("mended", {});
  INFO(corrected.out << corrected.err);
  CHECK(corrected.code == 0);
  CHECK_THAT(corrected.out, has_text("rows-alone, on each trial"));
}

}  // namespace retrial::tests::contribution_tests
