// A worker that fails in any way costs its one trial, and the study continues.
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

#include "results/store/store.hpp"

namespace retrial::tests::end_to_end_failure_tests {

using retrial::results::Status;
using retrial::results::Store;
using Folder = retrial::tests::FullFolder;

namespace {

/// Half of the pairs fail in the given way (a draw of the source `failure`).
struct Expected {
  std::string failure;
  Status status;
  std::string message;
  std::vector<std::string> options;
};

}  // namespace

TEST_CASE("a failing trial is stored with its reason and the others are run") {
  const std::vector<Expected> table{
      {"throw", Status::failed, "null.", {}},
      {"exit", Status::failed, "exited with code", {}},
      {"crash", Status::killed, "signal 11 (SIGSEGV)", {}},
      {"kill", Status::killed, "signal 9 (SIGKILL)", {}},
      {"hang", Status::timeout, "no sign of life", {"--timeout", "1"}},
      {"memory", Status::oom, "grew beyond", {"--max-memory", "400"}},
      {"nonsense", Status::failed, "does not follow the protocol", {}},
  };
  for (const auto& row : table) {
    const Folder folder;
    std::vector<std::string> line{"run",
                                  "null",
                                  "--pairs",
                                  "4",
                                  "--seed",
                                  "11",
                                  "--json",
                                  "--set",
                                  "failure=" + row.failure,
                                  "--set",
                                  "failure_share=0.5"};
    line.insert(line.end(), row.options.begin(), row.options.end());
    const auto ran = run_retrial(folder, line);
    INFO(row.failure << "\n" << ran.err);
    CHECK(ran.code == 5);
    const Store store(folder / "null.db", Store::Access::read);
    int failed = 0, finished = 0;
    for (const auto& trial : store.trials()) {
      if (trial.status == Status::ok) {
        ++finished;
        continue;
      }
      ++failed;
      CHECK(trial.status == row.status);
      const auto message = store.attempt_details(trial.id).message;
      REQUIRE(message);
      CHECK_THAT(*message, has_text(row.message));
    }
    CHECK(failed > 0);
    CHECK(finished > 0);
    CHECK(failed + finished == 8);
    CHECK(run_retrial(folder, {"verify", "null.db", "--full"}).code == 0);

    // The same line again does not run them for ever, --retry-failed tries them once more.
    const auto again = run_retrial(folder, line);
    CHECK(field(again.out, "finished") == "0");
    CHECK(Store(folder / "null.db", Store::Access::read).trials().size() == 8);
    line.push_back("--retry-failed");
    CHECK(run_retrial(folder, line).code == 5);
    CHECK(Store(folder / "null.db", Store::Access::read).trials().size() == 8 + static_cast<std::size_t>(failed));
  }
}

TEST_CASE("a diverged trial is data: it counts as finished and keeps its non-finite score") {
  const Folder folder;
  const auto ran = run_retrial(folder, {"run", "null", "--pairs", "4", "--seed", "11", "--json", "--set",
                                        "failure=diverge", "--set", "failure_share=0.5"});
  INFO(ran.err);
  CHECK(ran.code == 0);
  const Store store(folder / "null.db", Store::Access::read);
  int diverged = 0;
  for (const auto& trial : store.trials()) diverged += trial.status == Status::diverged ? 1 : 0;
  CHECK(diverged > 0);
}

TEST_CASE("output beyond the ring buffer neither blocks a trial nor is kept") {
  const Folder folder;
  const auto ran =
      run_retrial(folder, {"run", "null", "--pairs", "2", "--seed", "11", "--json", "--set", "failure=noise"});
  INFO(ran.err);
  CHECK(ran.code == 0);
}

TEST_CASE("a worker that is not one ends the run with code 5 and says what happened") {
  const Folder folder;
  const auto ran = run_retrial(
      folder, {"run", "null", "--pairs", "2", "--seed", "1", "--worker", "/bin/false", "--program-label", "x"});
  CHECK(ran.code == 5);
  CHECK_THAT(ran.err, has_text("ended before it was ready"));
  const auto missing =
      run_retrial(folder, {"run", "null", "--pairs", "2", "--seed", "1", "--worker", "/nonexistent/worker"});
  CHECK(missing.code == 4);
  CHECK_THAT(missing.err, has_text("the worker does not exist"));
}

}  // namespace retrial::tests::end_to_end_failure_tests
