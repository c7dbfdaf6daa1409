// Conclusions of a publication, checked with scripted pairs on other data: the side of a difference, and an upper bound
// on a difference. Scores are chosen so that the position of the 95 % interval is plain.
#include "harness/judge/looks/look.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::conclusions_tests {

using namespace retrial;
using fixture::Answer;
using fixture::Folder;
using harness::stored_looks;

namespace {

Json values_of(const std::string& method) {
  const auto& declaration = workloads::find_workload("distillation", "");
  Values given{{"method", method}};
  if (method == "takd") given["assistant"] = std::string("cnn8");
  Json values = Json::object();
  for (const auto& [key, value] : workloads::resolved(declaration, given))
    values[key] = results::canonical_value(value);
  return values;
}

/// mine.db: two variants of the digits whose pairs differ by `gains`.
void put_study(const std::string& baseline, const std::string& candidate, std::vector<double> gains) {
  const fixture::StudySpec spec{.baseline = std::vector<double>(gains.size(), 90.0), .gains = std::move(gains)};
  results::Store store("mine.db", results::Store::Access::write);
  Json document = fixture::study_document({.compares = false});
  document["workload"] = "distillation";
  document["pairs"] = spec.gains.size();
  document["variants"] = Json::array({{{"name", "plain"}, {"preset", "kd"}, {"values", values_of(baseline)}},
                                      {{"name", "new"}, {"preset", "kd"}, {"values", values_of(candidate)}}});
  auto plan = fixture::plan_of(spec);
  for (auto& entry : plan) entry.workload = "distillation";
  store.put_study("mine", document, plan, {});
  for (const auto& entry : plan) store.append(fixture::record_of(entry, fixture::score_of(spec, entry)));
}

Answer asked(const std::string& baseline, const std::string& candidate, std::vector<double> gains,
             const std::vector<std::string>& more = {"--json"}) {
  const Folder here;
  put_study(baseline, candidate, std::move(gains));
  std::vector<std::string> words{"reproduce", "kd-survey", "mine.db"};
  words.insert(words.end(), more.begin(), more.end());
  return fixture::retrial(words);
}

Json only_claim(const Answer& answer, const std::string& name) {
  const Json document = Json::parse(answer.out);
  REQUIRE(document.at("claims").size() == 1);
  CHECK(document.at("claims").at(0).at("name") == name);
  return document.at("claims").at(0);
}

/// The only difference that the two variants test; all others of the conclusion are "not asked".
Json only_gap(const Answer& answer, const std::string& claim) {
  const Json whole = only_claim(answer, claim);
  Json tested = Json::array();
  for (const Json& gap : whole.at("gaps")) {
    if (gap.at("outcome") != "not asked") {
      tested.push_back(gap);
      continue;
    }
    CHECK((gap.at("candidate").is_null() && gap.at("pairs") == 0 && gap.at("difference").is_null()));
  }
  REQUIRE(tested.size() == 1);
  return tested.at(0);
}

std::vector<std::string> outcomes_of(const Json& claim) {
  std::vector<std::string> out;
  for (const Json& gap : claim.at("gaps")) out.push_back(gap.at("outcome"));
  return out;
}

const std::vector<double> above{1.1, 0.9, 1.2, 0.8, 1.0}, below{-1.1, -0.9, -1.2, -0.8, -1.0},
    around{-1.1, 0.9, -1.2, 0.8, 0.1}, near{0.05, -0.05, 0.1, -0.1, 0.0};

}  // namespace

TEST_CASE("a conclusion about a side is confirmed, refuted or open by the interval of our own pairs",
          "[cli][reproduce]") {
  const Json stands = only_gap(asked("ofd", "ce", above), "d");  // new is the labels alone: ofd ends below them
  CHECK(stands.at("outcome") == "stands");
  CHECK(stands.at("candidate") == "plain");
  CHECK_FALSE(stands.at("comparable"));
  CHECK(stands.at("pairs") == 5);
  CHECK_THAT(stands.at("difference").at("point").get<double>(), WithinAbs(-1, 1e-12));
  CHECK(only_gap(asked("ofd", "ce", below), "d").at("outcome") == "fails");
  CHECK(only_gap(asked("ofd", "ce", around), "d").at("outcome") == "open");
}

TEST_CASE("a difference of at most .35 needs two one-sided tests to be confirmed", "[cli][reproduce]") {
  CHECK(only_gap(asked("rkd", "takd", near), "e").at("outcome") == "stands");
  CHECK(only_gap(asked("rkd", "takd", around), "e").at("outcome") == "open");
  CHECK(only_gap(asked("rkd", "takd", above), "e").at("outcome") == "fails");
  CHECK(only_gap(asked("rkd", "takd", {0.1}), "e").at("outcome") == "open");
}

TEST_CASE("a conclusion printed at two numbers of epochs is checked once, on a page that names where",
          "[cli][reproduce]") {
  const Answer page = asked("ce", "kd", above, {});
  CHECK_THAT(page.out, has_text("Published conclusions, tested on this study") && has_text("new - plain *") &&
                           has_text("confirmed") && has_text("says nothing about the published number"));
  const Json document = Json::parse(asked("ce", "kd", above).out);
  REQUIRE(document.at("claims").size() == 2);  // a, and of c the teacher alone
  CHECK(document.at("claims").at(0).at("gaps").size() == 1);
}

TEST_CASE("a conclusion tested on two variants is a look at their question, once", "[cli][reproduce]") {
  const Folder here;
  put_study("ofd", "ce", above);
  const auto looks = [] { return stored_looks(results::Store("mine.db", results::Store::Access::read)); };
  const Json foreign = Json::parse(fixture::retrial({"reproduce", "kd-survey", "mine.db", "--foreign", "--json"}).out);
  CHECK_FALSE(foreign.at("recorded").get<bool>());
  CHECK(looks().empty());
  for (int time = 0; time < 2; ++time) {
    const Json document = Json::parse(fixture::retrial({"reproduce", "kd-survey", "mine.db", "--json"}).out);
    CHECK(document.at("recorded").get<bool>());
    REQUIRE(looks().size() == 1);
    CHECK(looks().front().by == "the conclusions of kd-survey");
    CHECK_FALSE(looks().front().declared);
    CHECK(looks().front().rate == .05);
  }
  // The same question, asked by another command, comes second.
  const Json verdict = Json::parse(fixture::retrial({"compare", "mine.db", "--metric", "accuracy", "--json"}).out);
  CHECK(verdict.at("look").at("number") == 2);
}

TEST_CASE("a conclusion with an untested part is not asked, whatever its other parts say", "[cli][reproduce]") {
  const Answer answer = asked("ce", "kd", above);
  const Json c = Json::parse(answer.out).at("claims").at(1);  // augmentation and a teacher add up: no augmentation here
  CHECK(c.at("name") == "c");
  CHECK(outcomes_of(c) == std::vector<std::string>{"not asked", "stands", "not asked"});
  CHECK(c.at("outcome") == "not asked");
  CHECK_THAT(asked("ce", "kd", above, {}).out, has_text("Conclusions: 1 confirmed, 1 not asked. Exit code 0."));
  CHECK(only_claim(asked("ofd", "ce", above), "d").at("outcome") == "not asked");  // two feature losses, one tested
  // Clean case: a conclusion of one difference has its answer.
  CHECK(only_claim(asked("rkd", "takd", near), "e").at("outcome") == "stands");
}

TEST_CASE("a difference of about one point is confirmed by an interval that holds 1 and is within its margin of it",
          "[cli][reproduce]") {
  const auto a = [](std::vector<double> gains) {
    return Json::parse(asked("ce", "kd", std::move(gains)).out).at("claims").at(0);
  };
  CHECK(a(above).at("outcome") == "stands");
  const Json large = a({1.7, 1.8, 1.6, 1.9, 1.75});  // a clear gain, but the interval excludes 1
  CHECK(large.at("outcome") == "fails");
  CHECK(large.at("gaps").at(0).at("difference").at("low").get<double>() > 1);
  CHECK(a({0.3, 0.4, 0.2, 0.5, 0.35}).at("outcome") == "fails");
  CHECK(a({0.1, 2.4, 0.2, 2.2, 1.0}).at("outcome") == "open");  // the interval holds 1, 0 and more than 2
  CHECK(a(below).at("outcome") == "fails");
  CHECK_THAT(asked("ce", "kd", above, {}).out, has_text("(about 1,") && has_text("margin 1)"));
}

TEST_CASE("the exit code counts conclusions like rows, and the page gives the counts", "[cli][reproduce]") {
  const auto ended = [](const Answer& answer, int exit, const std::string& counted) {
    CHECK(answer.exit == exit);
    CHECK_THAT(answer.out, has_text("Rows: none. Conclusions: " + counted));
  };
  ended(asked("rkd", "takd", near, {}), 0, "1 confirmed. Exit code 0.");
  ended(asked("rkd", "takd", above, {}), 1, "1 contradicted. Exit code 1.");
  ended(asked("rkd", "takd", around, {}), 3, "1 open. Exit code 3.");
  ended(asked("ofd", "ce", above, {}), 4, "1 not asked. Exit code 4.");
  ended(asked("ofd", "ce", around, {}), 4, "1 not asked. Exit code 4.");
  ended(asked("ofd", "ce", below, {}), 1, "1 not asked (1 difference contradicted). Exit code 1.");
  ended(asked("ce", "ce", around, {}), 4, "none. Exit code 4.");  // nothing is concluded of the labels alone
  CHECK(Json::parse(asked("ofd", "ce", below).out).at("exit") == 1);
}

}  // namespace retrial::tests::conclusions_tests
