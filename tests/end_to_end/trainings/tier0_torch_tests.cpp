// The studies that are small enough to be run whole at every change.
#include "results/json/json.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::tier0_torch_tests {

using retrial::Json;
using Folder = retrial::tests::FullFolder;

namespace {

const std::string studies = std::string(RETRIAL_SOURCE_DIR) + "/studies/";

const Json& member(const Json& family, const std::string& variant) {
  for (const Json& row : family.at("members"))
    if (row.at("variant") == variant) return row;
  throw std::runtime_error("no variant " + variant);
}

/// Runs a shipped study into s.db and reads its report. One job, because two would train the teacher of a pair twice.
Json report_of(const Folder& folder, const std::string& study) {
  const auto ran = run_retrial(folder, {"run", studies + study, "--db", "s.db", "--jobs", "1"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const auto report = run_retrial(folder, {"report", "s.db", "--format", "json"});
  REQUIRE(report.code == 0);
  return retrial::results::parse_json(report.out, "stdout");
}

}  // namespace

// Measured for the specification with another program, seeds and permutation: gain of T 4 +2.27 points (t 6.7, 10
// seeds), of T 1 +.01 (t .6).
TEST_CASE("distillation at temperature 4 gains a point on 150 digits, and at temperature 1 nothing that matters",
          "[slow]") {
  const Folder folder;
  const Json document = report_of(folder, "distill-tier0.toml");
  CHECK(document.at("word") == "BETTER");
  const Json &verdict = document.at("verdict"), &scratch = document.at("families").at(0);
  CHECK(verdict.at("difference").at("point").get<double>() >= 1);
  CHECK(verdict.at("difference").at("p_greater").get<double>() < 0.01);
  REQUIRE(scratch.at("reference") == "scratch");
  CHECK(member(scratch, "kd-t1").at("word") == "equivalent");
  CHECK(member(scratch, "kd-t4").at("word") == "better");
  CHECK(member(scratch, "kd-t10").at("word") == "better");
  // The control: T 1 is worse than T 4.
  CHECK(member(document.at("families").at(1), "kd-t1").at("word") == "worse");
}

// The specification's own program, with other seeds and another permutation, measured 94.9 % (sd 3.2) against 73.5 %
// (8.0) over fourteen rounds; eight rounds end at 89.3 %.
TEST_CASE("pruning by magnitude leaves a better network than pruning at random, and replays to the same bits",
          "[slow]") {
  const Folder folder;
  const Json document = report_of(folder, "prune-tier0.toml");
  CHECK(document.at("verdict").at("difference").at("point").get<double>() > 5);
  CHECK(document.at("word") == "INCONCLUSIVE");  // three pairs can decide nothing
  CHECK(run_retrial(folder, {"replay", "s.db", "ft/1"}).code == 0);
}

}  // namespace retrial::tests::tier0_torch_tests
