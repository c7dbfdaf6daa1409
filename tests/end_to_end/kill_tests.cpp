// kill -9 at random moments: what was acknowledged is there, and the resumed study ends like an undisturbed one.
#include "tests/catch.hpp"
#include "tests/harness/program.hpp"

#include <csignal>
#include <thread>

#include "variance/rng.hpp"

using retrial::tests::field;
using retrial::tests::Folder;
using retrial::tests::Program;
using retrial::tests::run_retrial;

TEST_CASE("a study killed at any point resumes to the outcome digest of an undisturbed one") {
  const std::vector<std::string> line{"run",   "null",       "--pairs", "12",       "--seed", "19",
                                      "--set", "epoch_ms=4", "--set",   "epochs=3", "--json"};
  std::string undisturbed;
  {
    const Folder folder;
    undisturbed = field(run_retrial(folder, line).out, "outcome_digest");
  }
  const auto key = retrial::variance::derive(retrial::variance::derive(0, "fault-tests"), "kill");
  for (std::uint64_t round = 0; round < 12; ++round) {
    const Folder folder;
    retrial::variance::Stream draws(key, round);
    for (int kills = 0; kills < 3; ++kills) {
      Program program(folder, line);
      program.until_stderr("to run");
      std::this_thread::sleep_for(std::chrono::microseconds(retrial::variance::bounded(draws.next(), 250'000)));
      program.signal(SIGKILL);
      program.wait();
      const auto verified = run_retrial(folder, {"verify", "null.db", "--full"});
      INFO(verified.out << verified.err);
      REQUIRE(verified.code == 0);
    }
    const auto resumed = run_retrial(folder, line);
    INFO(resumed.err);
    REQUIRE(resumed.code == 0);
    CHECK(field(resumed.out, "outcome_digest") == undisturbed);
  }
}

TEST_CASE("two front ends on one store share the work and no trial is run twice") {
  const Folder folder;
  const std::vector<std::string> line{"run", "null", "--pairs", "20", "--seed", "23", "--set", "epoch_ms=10", "--json"};
  REQUIRE(
      run_retrial(folder, {"run", "null", "--pairs", "20", "--seed", "23", "--set", "epoch_ms=10", "--dry-run"}).code ==
      0);
  Program first(folder, line), second(folder, line);
  const auto a = first.wait(), b = second.wait();
  INFO(a.err << b.err);
  CHECK(a.code == 0);
  CHECK(b.code == 0);
  CHECK(std::stol(field(a.out, "finished")) + std::stol(field(b.out, "finished")) == 40);
  CHECK(run_retrial(folder, {"verify", "null.db", "--full"}).code == 0);
}
