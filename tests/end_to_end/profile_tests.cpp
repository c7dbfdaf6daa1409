// A profile of the planted workload: clean code passes; a training that profiling changes, and a cost that no
// calibration sees, do not. Whether a clean profile of a few milliseconds is valid depends on the machine, so no test
// asks.
#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::profile_tests {

using Words = std::vector<std::string>;

namespace {

Ran profiled(const Folder& folder, const std::string& variant, const std::string& code, const Words& more = {}) {
  Words words{"profile", "survey", "--seed", "5", "--variant", variant, "--set", "code=" + code, "--json"};
  words.insert(words.end(), more.begin(), more.end());
  return run_survey(folder, words);
}

Json variant_of(const Ran& ran) {
  INFO(ran.err);
  REQUIRE(!ran.out.empty());
  return Json::parse(ran.out).at("variants").at(0);
}

}  // namespace

TEST_CASE("a training that is watched computes what it computes alone") {
  const Folder folder;
  const Ran ran = profiled(folder, "nokd", "mended", {"--no-calibrate"});
  CHECK(ran.code == 0);
  const Json variant = variant_of(ran);
  CHECK(variant.at("changed").empty());
  CHECK(variant.at("valid").is_null());
  CHECK(variant.at("bias_percent").is_null());
  REQUIRE(variant.at("pairs").size() == 5);
  for (const Json& pair : variant.at("pairs")) {
    const Json& run = pair.at("profile");
    CHECK(run.at("counts").at("step").at("annotations") == 4);  // two epochs of two steps
    std::uint64_t sum = 0;
    for (const Json& cell : run.at("cells")) sum += cell.at(2).get<std::uint64_t>();
    const auto region = pair.at("full_ns").get<double>();
    CHECK(std::abs(static_cast<double>(sum) - region) < 1e6 + .01 * region);  // two clocks, read one after the other
  }
}

TEST_CASE("a training that learns otherwise while it is watched is found") {
  const Folder folder;
  const Ran ran = profiled(folder, "nokd", "survey", {"--no-calibrate"});
  CHECK(ran.code == 1);
  const Json variant = variant_of(ran);
  REQUIRE(variant.at("changed").size() == 5);  // one for each pair
  CHECK(variant.at("changed").at(0).at("field") == "digest weights");
}

TEST_CASE("a cost that calibration does not see makes a profile invalid") {
  const Folder folder;
  const Ran ran = profiled(folder, "kd", "survey");
  CHECK(ran.code == 5);
  const Json variant = variant_of(ran);
  CHECK(variant.at("changed").empty());
  CHECK(variant.at("valid") == false);
  CHECK(variant.at("bias_percent").get<double>() > 5);
}

TEST_CASE("a profile with dropped events is invalid") {
  const Folder folder;
  const Ran ran = profiled(folder, "nokd", "mended", {"--trace-cap", "1", "--tolerance", "100"});
  CHECK(ran.code == 5);
  CHECK_THAT(variant_of(ran).at("reasons").dump(), has_text("events were dropped"));
}

TEST_CASE("what cannot be profiled is refused before anything is measured") {
  const Folder folder;
  const auto refused = [&](const Words& words, const std::string& text) {
    const Ran ran = run_retrial(folder, words);
    INFO(ran.err);
    CHECK(ran.code == 2);
    CHECK_THAT(ran.err, has_text(text));
  };
  refused({"profile", "null", "--seed", "1"}, "null: opens no operation");
  refused({"profile", "null", "--seed", "1", "--blocks", "3"}, "--blocks");
  refused({"profile", "null", "--seed", "1", "--pairs", "4"}, "--pairs");
  refused({"profile", "null", "--variant", "bas"}, "did you mean 'base'?");
  refused({"profile", "null", "--rules", "none"}, "is about a trace");
  refused({"profile", "--analyze", "trace.json", "--pairs", "5"}, "is for a study or workload");
  refused({"profile"}, "needs a study, a workload, or a trace");
}

TEST_CASE("a program of one's own is refused: retrial sees none of its operations") {
  const Folder folder;
  const Ran ran = run_retrial(folder, {"profile", "--command", "true", "--seed", "1"});
  INFO(ran.err);
  CHECK(ran.code == 2);
}

}  // namespace retrial::tests::profile_tests
