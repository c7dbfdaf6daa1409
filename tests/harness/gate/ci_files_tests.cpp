#include "harness/gate/ci_files.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "harness/gate/gate_document.hpp"
#include "harness/gate/gate_page.hpp"
#include "results/json/json.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::ci_files_tests {

using namespace retrial::harness;

namespace {

const std::string hostile = "a|b*<x>&\"'%\n::error::pwn, @team\x01\xff";

GateVerdict verdict_of(const std::string& workload, const std::string& word) {
  GateVerdict out{.workload = workload, .metric = "time", .unit = "s"};
  out.verdict = word;
  out.effect = 0.1;
  out.ci95 = out.ci90 = variance::Estimate{.point = .1, .low = .05, .high = .15};
  out.p_worse = out.p_better = out.p_worse_adjusted = out.p_better_adjusted = 0.001;
  return out;
}

GateResult result_of(std::size_t claims, const std::string& word) {
  GateResult out{.baseline = "base", .candidate = "head", .verdict = word, .exit = 1};
  for (std::size_t i = 0; i < claims; ++i) out.claims.push_back(verdict_of("bench/" + std::to_string(i), word));
  return out;
}

std::ptrdiff_t lines(const std::string& text) {
  return std::ranges::count(text, '\n');
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("JUnit has a failure, an error or a skip for each word, and escapes every name", "[gate]") {
  GateResult result = result_of(1, "regressed");
  result.claims[0].workload = hostile;
  for (const char* word : {"missing", "inconclusive", "improved"}) result.claims.push_back(verdict_of("w", word));
  const std::string text = junit(result, {});
  CHECK(holds(text, "name=\"a|b*&lt;x&gt;&amp;&quot;'%&#10;::error::pwn, @team\xEF\xBF\xBD\xEF\xBF\xBD\""));
  CHECK(holds(text, "<failure type=\"regressed\" message=\"head is WORSE than base: +10.00 %"));
  CHECK(holds(text, "<error type=\"missing\""));
  CHECK(holds(text, "<skipped message=\"inconclusive\"/>"));
  CHECK(holds(text, "tests=\"3\" failures=\"0\" errors=\"1\" skipped=\"1\""));
}

TEST_CASE("annotations stay lines of their own, at most ten of each level", "[gate]") {
  GateResult result = result_of(1, "regressed");
  result.claims[0].workload = hostile;
  const std::string one = annotations(result, {});
  CHECK(lines(one) == 1);
  CHECK(one.starts_with("::error title=a|b*<x>&\"'%25"));
  CHECK(holds(one, "%3A%3Aerror%3A%3Apwn%2C"));
  const std::string many = annotations(result_of(10'000, "regressed"), {});
  CHECK(lines(many) == 10);
  CHECK(holds(many, "::and 9991 more\n"));
  CHECK(annotations(result_of(10, "inconclusive"), {}).starts_with("::warning "));
  CHECK(lines(annotations(result_of(10, "regressed"), {})) == 10);
  CHECK_FALSE(holds(annotations(result_of(10, "regressed"), {}), "more"));
}

TEST_CASE("the summary of 10,000 claims fits into a comment and says what it leaves out", "[gate]") {
  const std::string text = summary_markdown(result_of(10'000, "regressed"), {});
  CHECK(text.size() <= 65'000);
  CHECK(text.size() > 50'000);
  CHECK(holds(text, "of 10000 claims are left out here"));
  GateResult result = result_of(1, "regressed");
  result.claims[0].workload = hostile;
  const std::string one = summary_markdown(result, {});
  CHECK(holds(one, "a\\|b\\*\\<x\\>"));
  CHECK_FALSE(holds(one, "@team"));
}

TEST_CASE("the document has the fields of its schema and no others", "[gate]") {
  std::ifstream in(RETRIAL_SOURCE_DIR "/harness/gate/gate.schema.json");
  const Json schema = results::parse_json(std::string{std::istreambuf_iterator<char>(in), {}}, "schema");
  const auto keys = [](const Json& object) {
    std::set<std::string> out;
    for (const auto& [key, _] : object.items()) out.insert(key);
    return out;
  };
  const Json document = gate_document(result_of(2, "regressed"), {});
  const Json& claim = schema.at("$defs").at("claim");
  CHECK(keys(document) == keys(schema.at("properties")));
  CHECK(keys(document) == schema.at("required").get<std::set<std::string>>());
  CHECK(keys(document.at("claims")[0]) == keys(claim.at("properties")));
  CHECK(keys(document.at("claims")[0]) == claim.at("required").get<std::set<std::string>>());
  std::set<std::string> words;
  for (const VerdictWord& word : gate_words()) words.insert(word.word);
  CHECK(words == schema.at("$defs").at("verdict").at("enum").get<std::set<std::string>>());
}

}  // namespace retrial::tests::ci_files_tests
