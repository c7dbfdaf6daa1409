// The table of failures: trials that ended alike share a row, whose reason is the exception of the program.
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::failures_tests {

using namespace retrial;
using fixture::Folder;

namespace {

/// As the worker stores it, with the seed of the trial in the command line.
std::string message_of(const results::PlanEntry& entry) {
  return "command.exit: `python3 train.py --seed " + std::to_string(entry.ordinal) +
         "` exited with 1; last lines:\n  Traceback (most recent call last):\n    raise MemoryError('no room')\n"
         "    ^^^^^^^^^^^^^^^^\n  MemoryError: no room";
}

/// Pairs 0 to 9 fail on both sides for one reason, the candidate's pair 10 for another one.
void write_study() {
  fixture::StudySpec spec;
  spec.baseline.assign(12, 80.0);
  spec.gains.assign(12, 1.0);
  fixture::write_store("f.db", spec, [](const auto& entry, results::TrialRecord& record) {
    const bool alone = entry.pair_index == 10 && entry.variant == "new";
    if (entry.pair_index < 10 || alone) {
      record.status = results::Status::failed;
      record.metrics.clear();
      record.message = alone ? "command.no_metric: accuracy not found in the output" : message_of(entry);
    }
    return true;
  });
}

}  // namespace

TEST_CASE("trials that failed alike are one row of the report, exception first", "[report]") {
  const Folder here;
  write_study();
  const auto page = fixture::retrial({"report", "f.db", "--format", "md"}).out;
  CHECK_THAT(page,
             has_text("| 20 | failed | MemoryError: no room \\(command.exit\\) | both trials of the pair failed | "));
  CHECK_THAT(page, has_text(" and 12 more |\n| 1 | failed | command.no\\_metric: accuracy not found in the output | "
                            "a failed run counts as a loss | new/10 |"));
  CHECK_THAT(page, !has_text("^^^^"));
  CHECK_THAT(page, has_text("The whole message of a trial: retrial show f.db "));
  // The data have every attempt with its whole message.
  const Json data = Json::parse(fixture::retrial({"report", "f.db", "--format", "json"}).out);
  REQUIRE(data.at("incidents").size() == 21);
  CHECK_THAT(data.at("incidents")[0].at("reason").get<std::string>(), has_text("^^^^"));
}

}  // namespace retrial::tests::failures_tests
