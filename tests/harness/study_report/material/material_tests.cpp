// Failures, ties, wins and losses of one study: sentence, tiles, tables, warnings and documents count them alike.
#include <map>

#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::material_tests {

using namespace retrial;
using fixture::Folder;

namespace {

std::string page(const std::string& form) {
  const auto answer = fixture::retrial({"report", "study.db", "--format", form});
  INFO(answer.err);
  REQUIRE(answer.exit == 0);
  return answer.out;
}

/// Lines joined by blanks, so that a sentence is found wherever it is wrapped.
std::string unwrapped(std::string text) {
  std::string out;
  for (const char c : text)
    if (!(c == '\n' || c == ' '))
      out += c;
    else if (out.empty() || out.back() != ' ')
      out += ' ';
  return out;
}

/// 20 pairs: 14 won, pair 14 tied, the candidate failed in pair 15, both failed in pairs 16 to 19.
void write_study() {
  fixture::StudySpec spec;
  spec.baseline.clear();
  spec.gains.clear();
  for (int i = 0; i < 20; ++i) {
    spec.baseline.push_back(80 + 0.25 * (i * 7 % 20));
    spec.gains.push_back(i == 14 ? 0 : 1 + 0.25 * (i % 3));
  }
  fixture::write_store("study.db", spec, [](const auto& entry, results::TrialRecord& record) {
    const bool fails = entry.pair_index > 15 || (entry.pair_index == 15 && entry.variant == "new");
    if (fails) {
      record.status = results::Status::failed;
      record.metrics.clear();
    }
    return true;
  });
}

std::map<std::string, int> counted_pairs(const Json& data) {
  std::map<std::string, int> out;
  for (const Json& pair : data.at("pairs")) ++out[pair.at(4).get<std::string>()];
  return out;
}

}  // namespace

TEST_CASE("pairs in which both failed are counted alike in sentence, tiles, table and warnings", "[report]") {
  const Folder here;
  write_study();
  const Json data = Json::parse(page("json"));
  CHECK(counted_pairs(data) == std::map<std::string, int>{{"win", 14}, {"tie", 1}, {"loss", 1}, {"both failed", 4}});
  const Json verdict = data.at("verdict");
  CHECK(verdict.at("wins") == 14);
  CHECK(verdict.at("losses") == 1);
  CHECK(verdict.at("ties") == 5);  // with the pairs in which both failed
  CHECK(verdict.at("both_failed") == 4);
  const std::string text = unwrapped(page("txt"));
  CHECK_THAT(text, has_text("new beat plain in 14 of 15 untied pairs (1 more tied, both failed in 4 more)"));
  CHECK_THAT(text, has_text("14 of 20 (1 tied, both failed in 4)"));
  CHECK_THAT(text, has_text("14 of 20 1 lost, 1 tied, both failed in 4"));
  CHECK_THAT(text, has_text("5 trials of new failed; a failed trial counts as a loss unless both of its pair failed"));
  CHECK_THAT(text, has_text("in 4 pairs neither trial has a score (both failed)"));
  CHECK_THAT(text, has_text("1 pair tied: test and interval"));
  CHECK_THAT(text, has_text("both trials of the pair failed"));
}

TEST_CASE("tiles and sentence give one false-positive rate, that of the untied pairs that were judged", "[report]") {
  const Folder here;
  write_study();
  const std::string text = unwrapped(page("txt"));
  CHECK_THAT(text, has_text("BETTER in at most 1.76 % of studies"));  // 12 of 15: 576 / 32768
  CHECK_THAT(text, has_text("false-positive rate 1.76 %") && !has_text("2.07 %"));
}

TEST_CASE("the win rate that is shown is of untied pairs, not a mixture of ties as half a win", "[report]") {
  const Folder here;
  write_study();
  const std::string text = unwrapped(page("txt"));
  // R 4: binom.test(14, 15)$conf.int is .68052, .99831.
  CHECK_THAT(text, has_text("new should win about 93.3 % of the pairs that are not tied (95 % CI 68.1 % to 99.8 %)"));
  const Json data = Json::parse(page("json"));
  const Json shown = data.at("claims").at(0), verdict = data.at("verdict");
  CHECK(shown.at("claim") == "P(new beats plain), same seeds, untied pairs");
  CHECK(shown.at("n") == 15);
  CHECK_THAT(shown.at("low").get<double>(), WithinAbs(0.6805, 1e-4));
  CHECK_THAT(shown.at("high").get<double>(), WithinAbs(0.9983, 1e-4));
  CHECK_THAT(verdict.at("untied_p").at("point").get<double>(), WithinAbs(14.0 / 15, 1e-9));
  CHECK(verdict.at("paired_p").at("point") == 0.825);  // as before: ties count as half
}

TEST_CASE("a study without ties or failures has none of these words", "[report]") {
  const Folder here;
  fixture::write_store("study.db");
  const std::string text = unwrapped(page("txt"));
  CHECK_THAT(text, !has_text("both failed") && !has_text("untied pairs 0.") && !has_text("more tied") &&
                       has_text("1 lost, 0 tied"));
}

}  // namespace retrial::tests::material_tests
