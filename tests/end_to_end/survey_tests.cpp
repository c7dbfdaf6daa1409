// Every finding of the liveness check is shown on a planted defect and not on its corrected twin. The first four
// defects are those read in the sources of a published survey of distillation (arXiv 1912.10850): a temperature that is
// a type annotation, an attention loss that is computed and never added, features of the teacher without the ReLU
// between its stages, and a teacher in training mode.
#include <algorithm>
#include <set>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::survey_tests {

using retrial::Json;

namespace {

const std::string study = std::string(RETRIAL_SOURCE_DIR) + "/tests/survey/survey.toml";

Ran liveness(const std::string& variant, const std::string& code, const std::vector<std::string>& more = {}) {
  const Folder folder;
  std::vector<std::string> words{"check", study, "--liveness", "--json", "--variant", variant, "--set", "code=" + code};
  words.insert(words.end(), more.begin(), more.end());
  return run_survey(folder, words);
}

std::set<std::string> findings(const Ran& ran) {
  const Json document = Json::parse(ran.out);
  std::set<std::string> out;
  for (const Json& finding : document.at("findings"))
    out.insert(finding.at("kind").get<std::string>() + ": " + finding.at("subject").get<std::string>());
  return out;
}

/// The planted defect is found, and nothing in the same variant without it.
void demand(const std::string& variant, const std::set<std::string>& expected) {
  const Ran planted = liveness(variant, "survey");
  INFO(planted.out << planted.err);
  CHECK(planted.code == 1);
  CHECK(findings(planted) == expected);
  const Ran mended = liveness(variant, "mended");
  INFO(mended.out << mended.err);
  CHECK(mended.code == 0);
}

}  // namespace

TEST_CASE("a temperature that never reaches the loss is dead") {
  demand("kd", {"dead-parameter: key temperature"});
  const Ran ran = liveness("kd", "survey");
  CHECK_THAT(field(ran.out, "findings.0.compared"), has_text("4.0 and 6.1 give the same"));
}

TEST_CASE("a loss term that is computed and never added is named") {
  // Its weight changes nothing either.
  demand("rkd", {"unaccounted-term: loss term attention", "dead-parameter: key w_attention"});
}

TEST_CASE("a teacher whose features come from another function than its logits is found") {
  demand("ab", {"teacher-path-differs: teacher"});
}

TEST_CASE("a teacher in training mode is found by the statistics that it changes") {
  demand("oh", {"teacher-path-differs: teacher", "teacher-mutated: teacher"});
}

TEST_CASE("a term without a gradient is dead") {
  demand("detached", {"dead-term: loss term soft", "dead-parameter: key w_soft", "dead-parameter: key temperature",
                      "dead-source: source teacher"});
}

TEST_CASE("a network that sees its neighbours in evaluation is found") {
  demand("dropout", {"train-mode-in-eval: student"});
}

TEST_CASE("a variant that selects on the test set is found") {
  const Ran ran = liveness("nokd", "mended", {"--set", "select=best-test"});
  CHECK(ran.code == 1);
  CHECK(findings(ran) == std::set<std::string>{"test-selection: key select"});
  CHECK(liveness("nokd", "mended").code == 0);
}

TEST_CASE("two variants of one trajectory are duplicates, and two that differ are none") {
  const Folder folder;
  retrial::tests::write_file(
      folder / "twins.toml",
      "schema = 1\nname = \"twins\"\nworkload = \"survey\"\npairs = 2\n[set]\ncode = \"mended\"\n"
      "[variant.one]\nmethod = \"kd\"\n[variant.two]\nmethod = \"detached\"\n"
      "[variant.three]\nmethod = \"ab\"\n");
  const Ran ran = run_survey(folder, {"check", "twins.toml", "--liveness", "--json"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK(findings(ran) == std::set<std::string>{"duplicate-variants: variant one"});
}

// The survey's grid of temperatures: the cells run the same code, so that its other keys are shown once.
TEST_CASE("of variants that differ in numbers alone the numbers are changed in each, and the rest in the first") {
  const std::string cells =
      "schema = 1\nname = \"grid\"\nworkload = \"survey\"\npairs = 2\n[set]\nmethod = \"kd\"\ncode = \"CODE\"\n"
      "[variant.t1]\ntemperature = 1.0\n[variant.t5]\ntemperature = 5.0\n"
      "[variant.labels]\ntemperature = 5.0\nw_soft = 0.0\n";
  const auto grid = [&](const std::string& code) {
    const Folder folder;
    std::string text = cells;
    retrial::tests::write_file(folder / "grid.toml", text.replace(text.find("CODE"), 4, code));
    return run_survey(folder, {"check", "grid.toml", "--liveness", "--json"});
  };
  const Ran planted = grid("survey"), mended = grid("mended");
  INFO(planted.out << mended.out << mended.err);
  std::set<std::string> dead;
  const Json document = Json::parse(planted.out);
  for (const Json& finding : document.at("findings"))
    if (finding.at("subject") == "key temperature") dead.insert(finding.at("variant").get<std::string>());
  CHECK(dead == std::set<std::string>{"t1", "t5", "labels"});
  const Json same = Json::parse(mended.out).at("same_code");
  REQUIRE(same.size() == 1);  // a weight of 0 is a switch: labels is code of its own
  CHECK(same.at(0).at("variant") == "t5");
  CHECK(same.at(0).at("as") == "t1");
  // A teacher of weight zero is dead in the corrected code too.
  CHECK(findings(mended) == std::set<std::string>{"dead-parameter: key temperature", "dead-source: source teacher"});
  CHECK(field(mended.out, "findings.0.variant") == "labels");
}

TEST_CASE("all variants of the survey in one check, with pages that name the compared parts") {
  const Folder folder;
  const Ran ran = run_survey(folder, {"check", study, "--liveness", "--jobs", "1"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  for (const char* text :
       {"dead-parameter: variant kd, key temperature", "unaccounted-term: variant rkd, loss term attention",
        "is computed and never added (weight 50", "teacher-path-differs: variant ab, teacher",
        "teacher-mutated: variant oh, teacher", "5 probes of"})
    CHECK_THAT(ran.out, has_text(text));
}

TEST_CASE("a flag that a workload contributes sets its key, in every variant") {
  const Folder folder;
  const auto value = [&](const std::vector<std::string>& more, const std::string& key) {
    std::vector<std::string> words{"plan", study, "--seed", "1", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run_survey(folder, words);
    INFO(ran.err);
    CHECK(ran.code == 0);
    const Json planned = Json::parse(ran.out);
    std::set<std::string> found;
    for (const Json& variant : planned.at("study").at("variants"))
      found.insert(variant.at("values").at(key).get<std::string>());
    CHECK(found.size() == 1);
    return *found.begin();
  };
  CHECK(value({}, "code") == "survey");
  CHECK(value({"--whose-code", "mended"}, "code") == "mended");
  CHECK(value({"--whose-code=mended", "--choose-by-test"}, "select") == "best-test");
}

TEST_CASE("a flag that is misspelled, has a wrong value or belongs to another workload is one clear line") {
  const Folder folder;
  const auto error = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"plan", study};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run_survey(folder, words);
    CHECK(ran.code == 2);
    CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') <= 2);  // and one that helps
    CHECK(ran.out.empty());
    return ran.err;
  };
  CHECK_THAT(error({"--whose-cod", "mended"}), has_text("did you mean --whose-code?"));
  CHECK_THAT(error({"--whose-code", "mine"}), has_text("--whose-code"));
  CHECK_THAT(error({"--whose-code", "mine"}), has_text("survey, mended"));
  CHECK_THAT(error({"--read", "accuracy"}),
             has_text("--read: only for the workload command, and this study runs survey"));
}

TEST_CASE("the flags of a workload have a heading of their own in the help") {
  const Folder folder;
  const std::string help = run_survey(folder, {"plan", "--help"}).out;
  const auto heading = help.find("Options of the workload survey\n");
  REQUIRE(heading != std::string::npos);
  CHECK(help.find("--whose-code NAME") > heading);
  CHECK(help.find("--pairs N") > heading);
}

}  // namespace retrial::tests::survey_tests
