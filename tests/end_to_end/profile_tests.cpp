// A profile of the planted workload: clean code passes; a training that profiling changes, and a cost that no
// calibration sees, do not. Whether a clean profile of a few milliseconds is valid depends on the machine, so no test
// asks.
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/results/store/raw_sqlite.hpp"

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
  refused({"profile", "null", "--seed", "1"}, "allowed: ");
  refused({"profile", "null", "--seed", "1", "--blocks", "3"}, "--blocks");
  refused({"profile", "null", "--seed", "1", "--pairs", "4"}, "--pairs");
  refused({"profile", "null", "--per-thread"}, "is about a trace");
  refused({"profile", "--analyze", "trace.json", "--pairs", "5"}, "is for a study or workload");
  refused({"profile"}, "needs a study, a workload, or a trace");
}

TEST_CASE("an unknown variant is refused with the nearest name") {
  const Folder folder;
  const Ran ran = run_survey(folder, {"profile", "survey", "--variant", "nokt"});
  CHECK(ran.code == 2);
  CHECK_THAT(ran.err, has_text("did you mean 'nokd'?"));
}

TEST_CASE("the cost of the bookkeeping is measured in loops") {
  const Folder folder;
  const Ran ran = run_retrial(folder, {"profile", "--micro", "--json"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const Json costs = Json::parse(ran.out).at("costs");
  REQUIRE(costs.size() == 4);
  for (const Json& cost : costs) {
    CHECK(cost.at("min_ns").get<double>() >= 0);
    CHECK(cost.at("min_ns") <= cost.at("ns"));
    CHECK(cost.at("ns") <= cost.at("max_ns"));
  }
  const Ran extra = run_retrial(folder, {"profile", "--micro", "null"});
  CHECK(extra.code == 2);
}

TEST_CASE("a program of one's own is refused: retrial sees none of its operations") {
  const Folder folder;
  const Ran ran = run_retrial(folder, {"profile", "--command", "true", "--seed", "1"});
  INFO(ran.err);
  CHECK(ran.code == 2);
}

namespace {

void write_study(const Folder& folder, const std::string& more, const std::string& keys = "") {
  std::ofstream(folder / "watched.toml") << "schema = 1\nname = \"watched\"\nworkload = \"survey\"\nseed = 5\n"
                                         << "[set]\ncode = \"mended\"\n"
                                         << keys << "[variant.nokd]\n[variant.oh]\n"
                                         << more;
}

std::int64_t count(const Folder& folder, const std::string& sql) {
  return std::stoll(results::Raw(folder / "watched.db").one("SELECT " + sql));
}

/// The runs are short: beside other programs their times tell nothing, and the profile ends with 5, as it should.
bool was_judged(int code) {
  return code == 0 || code == 5;
}

constexpr std::int64_t runs_of_variant = 4 * 5 + 5 * 2;  // without a collector: five blocks of four, five pairs of two

}  // namespace

TEST_CASE("a profile is stored, and the same line reads it back") {
  const Folder folder;
  write_study(folder, "[profile]\ntolerance = 100\ncollector = \"none\"\n");
  const Words line{"profile", "watched.toml", "--json"};
  const Ran first = run_survey(folder, line);
  INFO(first.err);
  REQUIRE(was_judged(first.code));
  CHECK(count(folder, "count(*) FROM trial") == 2 * runs_of_variant);
  CHECK(count(folder, "count(*) FROM artifact WHERE name='profile'") == 2 * runs_of_variant);
  CHECK(count(folder, "count(*) FROM document WHERE kind='result'") == 1);
  const Ran again = run_survey(folder, line);
  CHECK(again.code == first.code);
  CHECK(count(folder, "count(*) FROM trial") == 2 * runs_of_variant);
  CHECK(variant_of(again) == variant_of(first));
  const Ran report = run_survey(folder, {"report", "watched.db", "--format", "json"});
  INFO(report.err);
  REQUIRE(report.code == 0);
  const Json page = Json::parse(report.out);
  CHECK(page.at("word") == "PROFILE");
  CHECK(page.at("profile").at("variants").at(0) == variant_of(first));
  // The study file in the report is the study.
  std::ofstream(folder / "again.toml") << page.at("reproduce").at("study_file").get<std::string>();
  CHECK_THAT(page.at("reproduce").at("again").get<std::string>(), has_text("retrial profile watched.toml"));
  const Ran plan = run_survey(folder, {"plan", "again.toml", "--json"});
  INFO(plan.err);
  CHECK(field(plan.out, "study_digest") == page.at("digests").at("study").get<std::string>());
}

TEST_CASE("a profile that is killed loses one block, and no block has runs of two launches") {
  const Folder folder;
  write_study(folder, "[profile]\ntolerance = 100\ncollector = \"none\"\n", "epochs = 100\n");
  const Words line{"profile", "watched.toml"};
  {
    Program killed(folder, line, {}, RETRIAL_BINARY_DIR "/bin/survey/retrial");
    while (!std::filesystem::exists(folder / "watched.db")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto begun = [&] {
      try {
        return count(folder, "count(*) FROM trial") >= 8;
      } catch (const std::exception&) {
        return false;  // not yet a store, or locked
      }
    };
    while (!begun()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto workers = killed.children();
    killed.signal(SIGKILL);
    (void)killed.wait();
    until_ended(workers);
  }
  const std::int64_t before = count(folder, "count(*) FROM trial");
  REQUIRE(before < 2 * runs_of_variant);
  const std::string by_block =
      "SELECT count(*), count(DISTINCT launch) FROM plan JOIN trial USING (identity, replicate) GROUP BY "
      "plan.variant, plan.block";
  const auto sound = [&] {
    for (const auto& row : results::Raw(folder / "watched.db").rows(by_block)) {
      CHECK((row[0] == "4" || row[0] == "2"));
      CHECK(row[1] == "1");
    }
  };
  sound();
  const Ran resumed = run_survey(folder, line);
  INFO(resumed.err);
  CHECK(was_judged(resumed.code));
  CHECK(count(folder, "count(*) FROM trial") == 2 * runs_of_variant);
  CHECK(count(folder, "count(DISTINCT launch) FROM trial") == 2);
  sound();
}

TEST_CASE("claims of a profile study are about the measured runs") {
  const Folder folder;
  write_study(folder,
              "[profile]\nblocks = 0\n[claim.step]\nmetric = \"raw_share_step\"\ncandidate = \"nokd\"\n"
              "value = 1\nexpect = \"higher\"\n");
  const Ran ran = run_survey(folder, {"profile", "watched.toml"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const Ran claims = run_survey(folder, {"compare", "watched.db", "--claims", "--json"});
  INFO(claims.err);
  REQUIRE(claims.code == 0);
  CHECK_THAT(claims.out, has_text("\"pairs\":5"));
  CHECK_THAT(claims.out, has_text("HOLDS"));
  const Ran compared = run_survey(folder, {"compare", "watched.db"});
  CHECK(compared.code == 4);
  CHECK_THAT(compared.err, has_text("is a profile study"));
}

TEST_CASE("a profile study that cannot be one is refused, with its line") {
  const Folder folder;
  const auto refused = [&](const std::string& more, const std::string& text, const std::string& command = "profile") {
    write_study(folder, more);
    const Ran ran = run_survey(folder, {command, "watched.toml"});
    INFO(ran.err);
    CHECK(ran.code == 2);
    CHECK_THAT(ran.err, has_text("watched.toml"));
    CHECK_THAT(ran.err, has_text(text));
    CHECK(!std::filesystem::exists(folder / "watched.db"));
  };
  refused("[profile]\nblocks = 3\n", "profile.blocks = 3: out of range (allowed: 5 to 1000; 0: no calibration)");
  refused("[profile]\ncollector = \"nsight\"\n", "not built into this program (allowed: native, none");
  refused("[profile]\nlevel = \"hook\"\n", "profile.level = hook: unknown level (allowed: annotations, hooks, full)");
  refused("[profile]\ntolerance = 101\n", "profile.tolerance = 101.0: out of range");
  refused("[profile]\nblock = 5\n", "did you mean \"blocks\"?");
  refused("[profile]\n[compare]\nmetric = \"loss\"\n", "judges no variant");
  refused("[profile]\n[variance]\nruns = 5\n", "judges no variant");
  refused("[profile]\n[claim.a]\nmetric = \"share_stop\"\ncandidate = \"nokd\"\nvalue = 1\nexpect = \"higher\"\n",
          "share_step");
  refused("[profile]\n", "retrial profile with the same file runs it", "run");
}

}  // namespace retrial::tests::profile_tests
