// Two front ends on one store share the work: no trial is run twice, whatever comes of it.
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "results/store/store.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/results/store/raw_sqlite.hpp"

namespace retrial::tests::two_front_ends_tests {

using namespace retrial;
using namespace retrial::tests;
using retrial::results::Store;

namespace {

const std::vector<std::string> study{"run", "null", "--pairs", "20", "--seed", "23", "--set", "epoch_ms=10", "--json"};

std::vector<std::string> with(std::vector<std::string> line, const std::vector<std::string>& more) {
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

/// Attempts of a trial that were stored more than once.
std::size_t repeated(const Folder& folder) {
  std::set<std::pair<results::Digest, std::uint32_t>> seen;
  std::size_t out = 0;
  for (const auto& trial : Store(folder / "null.db", Store::Access::read).trials())
    out += seen.insert({trial.identity, trial.replicate}).second ? 0 : 1;
  return out;
}

}  // namespace

TEST_CASE("two front ends end with 0, run every trial once, and give the digest of one") {
  const Folder alone, folder;
  const auto digest = field(run_retrial(alone, study).out, "outcome_digest");
  Program first(folder, study), second(folder, study);
  const auto a = first.wait(), b = second.wait();
  INFO(a.err << b.err);
  CHECK(a.code == 0);
  CHECK(b.code == 0);
  CHECK(std::stol(field(a.out, "finished")) + std::stol(field(b.out, "finished")) == 40);
  CHECK(repeated(folder) == 0);
  CHECK(field(b.out, "outcome_digest") == digest);
  CHECK(run_retrial(folder, {"verify", "null.db", "--full"}).code == 0);
}

TEST_CASE("each of two front ends ends with the state of the whole study, not only its own part") {
  const Folder folder;
  auto line = study;
  line.pop_back();  // --json
  Program first(folder, line), second(folder, line);
  for (const auto& ran : {first.wait(), second.wait()}) {
    CHECK(ran.code == 0);
    CHECK_THAT(ran.out, has_text("40 of 40 trials done"));
  }
}

TEST_CASE("a trial that one front end stored as failed is not run again by the other one that waits") {
  const Folder folder;
  const auto line = with(study, {"--set", "failure=throw", "--set", "failure_share=0.5"});
  for (const bool retry : {false, true}) {
    const auto before = retry ? Store(folder / "null.db", Store::Access::read).trials().size() : 0;
    const auto now = retry ? with(line, {"--retry-failed"}) : line;
    Program first(folder, now), second(folder, now);
    const auto a = first.wait(), b = second.wait();
    INFO(a.err << b.err);
    CHECK(a.code == 5);
    CHECK(b.code == 5);
    const auto failed = static_cast<std::size_t>(std::stol(field(b.out, "failed")));
    CHECK(failed > 0);
    // The first time all 40 are run, the second time each that failed, once.
    CHECK(Store(folder / "null.db", Store::Access::read).trials().size() == before + (retry ? failed : 40));
  }
}

TEST_CASE("the second front end passes over what the first one has run, and ends with it") {
  const Folder folder;
  const std::vector<std::string> many{"run", "null",  "--pairs",  "600",    "--seed",
                                      "23",  "--set", "epochs=1", "--jobs", "1"};
  Program first(folder, many), second(folder, many);
  const auto a = first.wait();
  const auto one_has_ended = std::chrono::steady_clock::now();
  const auto b = second.wait();
  CHECK(a.code == 0);
  CHECK(b.code == 0);
  // At 250 ms for every 16 trials of the other one, it lingered for more than 9 s.
  CHECK(std::chrono::steady_clock::now() - one_has_ended < std::chrono::seconds(5));
}

TEST_CASE("a front end that was stopped past its claims runs and stores nothing that others have run") {
  const Folder folder;
  const std::vector<std::string> slow{"run",   "null",         "--pairs", "6", "--seed", "23",
                                      "--set", "epoch_ms=100", "--jobs",  "1", "--json"};
  Program first(folder, slow);
  REQUIRE(first.until_stderr("to run"));
  for (int tries = 0; tries < 200 && Store(folder / "null.db", Store::Access::read).trials().empty(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  first.signal(SIGSTOP);
  {
    results::Raw raw(folder / "null.db");
    raw.exec("PRAGMA busy_timeout=5000; UPDATE lease SET expires_ns=0");  // two minutes later
  }
  const auto second = run_retrial(folder, slow);
  CHECK(second.code == 0);
  first.signal(SIGCONT);
  CHECK(first.wait().code == 0);
  CHECK(repeated(folder) == 0);
  CHECK(Store(folder / "null.db", Store::Access::read).trials().size() == 12);
}

TEST_CASE("what a killed launch has left is removed by the next one, and nothing else") {
  const Folder folder, temporary;
  const std::vector<std::string> slow{"run", "null",  "--pairs",      "3",      "--seed",
                                      "23",  "--set", "epoch_ms=200", "--jobs", "1"};
  const auto left = [&](const std::filesystem::path& in, const std::string& with) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(in))
      count += entry.path().filename().string().find(with) != std::string::npos ? 1 : 0;
    return count;
  };
  const std::map<std::string, std::string> environment{{"TMPDIR", temporary / ""}};
  Program first(folder, slow, environment);
  REQUIRE(first.until_stderr("to run"));
  for (int tries = 0; tries < 200 && left(folder / "", ".launch-") == 0; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  first.signal(SIGKILL);
  first.wait();
  CHECK(left(folder / "", ".launch-") == 1);
  CHECK(left(temporary / "", "retrial-") == 1);
  // A lock file from elsewhere names a folder that no launch has made.
  std::filesystem::create_directory(folder / "retrial-thesis");
  std::ofstream(folder / "null.db.launch-0") << "1 2 " << folder / "retrial-thesis";
  CHECK(run_retrial(folder, slow, environment).code == 0);
  CHECK(left(folder / "", ".launch-") == 0);
  CHECK(left(temporary / "", "retrial-") == 0);
  CHECK(std::filesystem::exists(folder / "retrial-thesis"));
}

TEST_CASE("a waiting front end takes over the trials of a killed one") {
  const Folder alone, folder;
  const auto digest = field(run_retrial(alone, study).out, "outcome_digest");
  Program first(folder, study);
  REQUIRE(first.until_stderr("to run"));
  Program second(folder, study);
  REQUIRE(second.until_stderr("to run"));
  first.signal(SIGKILL);
  first.wait();
  const auto b = second.wait();
  INFO(b.err);
  CHECK(b.code == 0);
  CHECK(field(b.out, "outcome_digest") == digest);
}

}  // namespace retrial::tests::two_front_ends_tests
