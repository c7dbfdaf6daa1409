// The whole line from the command line to the store, with the workload that draws numbers and takes no time.
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

#include <csignal>

namespace retrial::tests::end_to_end_run_tests {

namespace {

const std::vector<std::string> study{"run", "null", "--pairs", "20", "--seed", "7", "--set", "effect=0.5", "--json"};

std::vector<std::string> with(std::vector<std::string> base, const std::vector<std::string>& more) {
  base.insert(base.end(), more.begin(), more.end());
  return base;
}

std::string outcome(const Folder& folder, const std::vector<std::string>& more) {
  const auto ran = run_retrial(folder, with(study, more));
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return field(ran.out, "outcome_digest");
}

}  // namespace

TEST_CASE("a study runs to its end and the same line again has nothing left to run") {
  const Folder folder;
  const auto first = run_retrial(folder, study);
  INFO(first.err);
  REQUIRE(first.code == 0);
  CHECK(field(first.out, "planned") == "40");
  CHECK(field(first.out, "finished") == "40");
  const auto again = run_retrial(folder, study);
  REQUIRE(again.code == 0);
  CHECK(field(again.out, "finished") == "0");
  CHECK(field(again.out, "finished_before") == "40");
  CHECK(field(again.out, "outcome_digest") == field(first.out, "outcome_digest"));
  CHECK(run_retrial(folder, {"verify", "null.db", "--full"}).code == 0);
}

TEST_CASE("the store digest that a run prints at its end is what verify demands") {
  const Folder folder;
  const auto ran = run_retrial(folder, study);
  const auto digest = field(ran.out, "store_digest");
  CHECK(run_retrial(folder, {"verify", "null.db", "--expect", digest}).code == 0);
  std::filesystem::copy(folder / "null.db", folder / "earlier.db");
  auto more = with(study, {"--name", "more", "--db", "null.db"});
  more[5] = "8";
  CHECK(run_retrial(folder, more).code == 0);
  const auto other = run_retrial(folder, {"verify", "null.db", "--expect", digest, "--json"});
  CHECK(other.code == 6);
  CHECK(field(other.out, "ok") == "false");
  CHECK(field(other.out, "expected_store_digest") == digest);
  CHECK(run_retrial(folder, {"verify", "earlier.db", "--expect", digest}).code == 0);
}

TEST_CASE("the outcome does not depend on jobs, on fresh processes or on which store holds it") {
  const Folder folder;
  const auto one = outcome(folder, {"--db", "one.db", "--jobs", "1"});
  CHECK(outcome(folder, {"--db", "two.db", "--jobs", "2"}) == one);
  CHECK(outcome(folder, {"--db", "fresh.db", "--fresh"}) == one);
  CHECK(outcome(folder, {"--db", "more.db", "--jobs", "5"}) == one);
  // The control: another seed is another outcome.
  const auto other = run_retrial(
      folder, {"run", "null", "--pairs", "20", "--seed", "8", "--set", "effect=0.5", "--json", "--db", "other.db"});
  CHECK(field(other.out, "outcome_digest") != one);
}

TEST_CASE("a seed that was drawn is printed, stored and found again by an unfinished study") {
  const Folder folder;
  Program program(folder, {"run", "null", "--pairs", "30", "--set", "epoch_ms=30", "--json", "--jobs", "1"});
  REQUIRE(program.until_stderr("drew root seed"));
  REQUIRE(program.until_stderr("to run"));
  program.signal(SIGINT);
  const auto first = program.wait();
  CHECK(first.code == 130);
  const auto seed = field(first.out, "seed");
  const auto second = run_retrial(folder, {"run", "null", "--pairs", "30", "--set", "epoch_ms=30", "--json"});
  INFO(second.err);
  CHECK(second.code == 0);
  CHECK(field(second.out, "seed") == seed);
  CHECK_THAT(second.err, has_text("continuing the unfinished study"));
}

TEST_CASE("SIGINT ends a run with 130 and SIGTERM with 143, and everything finished is kept") {
  for (const int number : {SIGINT, SIGTERM}) {
    const Folder folder;
    Program program(folder,
                    {"run", "null", "--pairs", "200", "--seed", "3", "--set", "epoch_ms=20", "--json", "--jobs", "1"});
    REQUIRE(program.until_stderr("to run"));
    program.signal(number);
    const auto ran = program.wait();
    CHECK(ran.code == 128 + number);
    CHECK(std::stol(field(ran.out, "unfinished")) > 0);
    CHECK(run_retrial(folder, {"verify", "null.db", "--full"}).code == 0);
    const auto status = run_retrial(folder, {"status", "null.db", "--json"});
    CHECK(status.code == 0);
  }
}

TEST_CASE("a dry run prints the plan and writes nothing") {
  const Folder folder;
  const auto ran = run_retrial(folder, {"run", "null", "--pairs", "2", "--seed", "1", "--dry-run"});
  CHECK(ran.code == 0);
  CHECK_THAT(ran.out, has_text("base/0"));
  CHECK(std::filesystem::is_empty(folder.path));
}

TEST_CASE("a study begun with one program is refused with another, and both are named") {
  const Folder folder;
  CHECK(run_retrial(folder, {"run", "null", "--pairs", "2", "--seed", "1", "--program-label", "one"}).code == 0);
  const auto other = run_retrial(folder, {"run", "null", "--pairs", "2", "--seed", "1", "--program-label", "two"});
  CHECK(other.code == 4);
  CHECK_THAT(other.err, has_text("\"one\""));
  CHECK_THAT(other.err, has_text("\"two\""));
  CHECK_THAT(other.err, has_text("--program-label"));
}

TEST_CASE("a stranger with another build gets the same result digest, from every command that prints it") {
  const Folder folder;
  const auto run_as = [&](const std::string& build, const std::vector<std::string>& more = {}) {
    const auto ran = run_retrial(folder, with(study, with({"--program-label", build, "--db", build + ".db"}, more)));
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return ran.out;
  };
  const std::string ours = run_as("ours"), theirs = run_as("theirs", {"--jobs", "2"});
  const std::string result = field(ours, "result_digest");
  CHECK(result.size() == 64);
  CHECK(field(theirs, "result_digest") == result);
  CHECK(field(theirs, "outcome_digest") != field(ours, "outcome_digest"));
  for (const auto& words : std::vector<std::vector<std::string>>{{"show", "theirs.db", "--json"},
                                                                 {"show", "theirs.db", "--info", "--json"},
                                                                 {"verify", "theirs.db", "--json"}})
    CHECK(field(run_retrial(folder, words).out, "result_digest") == result);
  CHECK_THAT(run_retrial(folder, {"show", "theirs.db"}).out, has_text("results      " + result));
  CHECK_THAT(run_retrial(folder, {"report", "theirs.db", "-o", "-", "--format", "md"}).out, has_text(result));
  // The stores side by side: the same trials but for the build, all with the same outcome.
  const auto both = run_retrial(folder, {"compare", "ours.db", "theirs.db"});
  CHECK(both.code == 0);
  CHECK_THAT(both.out, has_text("40 of 40 trials  of two builds of retrial, else the same trials"));
  // The control: a key changes what comes out, and so the digest.
  CHECK(field(run_as("other", {"--set", "mean=81"}), "result_digest") != result);
}

TEST_CASE("a study of three variants runs them all in every pair") {
  const Folder folder;
  retrial::tests::write_file(folder / "three.toml",
                             "schema = 1\nname = \"three\"\nworkload = \"null\"\nseed = 5\npairs = 6\n[variant.base]\n"
                             "[variant.shifted]\n[variant.far]\npreset = \"shifted\"\neffect = 3.0\n");
  const auto ran = run_retrial(folder, {"run", "three.toml", "--json"});
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK(field(ran.out, "planned") == "18");
  CHECK(run_retrial(folder, {"compare", "three.db", "--candidate", "far"}).code == 0);
}

}  // namespace retrial::tests::end_to_end_run_tests
