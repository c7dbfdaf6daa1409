// A store may come from anybody. `replay` starts a command out of one only if it is what was planned, and only if the
// user has said so.
#include "results/digest/sha256.hpp"
#include "results/store/seal.hpp"
#include "tests/catch.hpp"
#include "tests/end_to_end/command/own_script.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/results/store/raw_sqlite.hpp"

namespace retrial::tests::stored_command_tests {

namespace {

/// A store of two trials of `echo`, and a replay of the first.
Ran replayed(const Folder& folder, const std::string& change, const std::vector<std::string>& more = {}) {
  REQUIRE(run_retrial(folder, {"run", "--command", "a=echo score {seed}", "--read", "score", "--lower", "--pairs", "2",
                               "--seed", "1", "--db", "c.db"})
              .code == 0);
  if (!change.empty()) results::Raw(folder.path / "c.db").exec(change);
  std::vector<std::string> line{"replay", "c.db", "a/0"};
  line.insert(line.end(), more.begin(), more.end());
  return run_retrial(folder, line);
}

const std::string forged_command = "UPDATE plan SET trial_body=replace(trial_body, 'echo score', 'touch forged score')";

/// Makes the seal of the plan anew, as a forger would.
void seal_again(const Folder& folder) {
  const auto file = folder.path / "c.db";
  std::string seal;
  {
    const results::Store store(file, results::Store::Access::read);
    const auto study = store.studies().front();
    seal = results::hex(results::study_seal(study.name, study.trials, store.plan(study.digest)));
  }
  results::Raw(file).exec("UPDATE meta SET value=substr(value, 1, 65) || '" + seal + "' WHERE key GLOB 'study/*'");
}

}  // namespace

TEST_CASE("a stored command is shown and not started without consent") {
  const Folder folder;
  const auto ran = replayed(folder, "");
  CHECK(ran.code == 2);
  CHECK_THAT(ran.err, has_text("would start this command: echo score "));
  CHECK_THAT(ran.err, has_text("retrial replay c.db a/0 --allow-commands"));
  const auto allowed = run_retrial(folder, {"replay", "c.db", "a/0", "--allow-commands"});
  INFO(allowed.err);
  CHECK(allowed.code == 0);
  CHECK_THAT(allowed.err, has_text("starting the stored command echo score "));
  CHECK(run_retrial(folder, {"replay", "c.db", "a/0", "--dry-run"}).code == 0);
}

TEST_CASE("a replay with another program names it, and with --any-program runs it") {
  const Folder folder;
  write_file(folder / "p.sh", "echo score $1\n");
  REQUIRE(run_retrial(folder, {"run", "--command", "a=sh p.sh {seed}", "--read", "score", "--lower", "--pairs", "2",
                               "--seed", "1", "--db", "c.db"})
              .code == 0);
  write_file(folder / "p.sh", "echo score $1 # edited\n");
  const auto other = run_retrial(folder, {"replay", "c.db", "a/0", "--allow-commands"});
  CHECK(other.code == 4);
  CHECK_THAT(other.err, has_text("p.sh changed (sha256 "));
  const auto any = run_retrial(folder, {"replay", "c.db", "a/0", "--allow-commands", "--any-program"});
  INFO(any.err);
  CHECK(any.code == 0);
}

TEST_CASE("a replay with another module or option file names it, and with --any-program runs it", "[needs-python]") {
  const Folder folder;
  write_file(folder / "p.py", "import sys, helper\nprint('score', int(sys.argv[1]) + helper.one)\n");
  write_file(folder / "helper.py", "one = 1\n");
  write_file(folder / "c.yaml", "x: 1\n");
  REQUIRE(run_retrial(folder, {"run", "--command", "a=python3 p.py {seed} --config=c.yaml", "--read", "score",
                               "--lower", "--pairs", "2", "--seed", "1", "--db", "c.db"})
              .code == 0);
  const Words replay{"replay", "c.db", "a/0", "--allow-commands"};
  CHECK(run_retrial(folder, replay).code == 0);
  for (const std::string file : {"helper.py", "c.yaml"}) {
    const std::string before = file == "c.yaml" ? "x: 1\n" : "one = 1\n";
    write_file(folder / file, before + "# edited\n");
    const auto other = run_retrial(folder, replay);
    CHECK(other.code == 4);
    CHECK_THAT(other.err, has_text("the trial was run with other files: " + file + " changed (sha256 "));
    CHECK(run_retrial(folder, both(replay, {"--any-program"})).code == 0);
    write_file(folder / file, before);
  }
  CHECK(run_retrial(folder, replay).code == 0);
  std::filesystem::remove(folder.path / "c.yaml");
  const auto gone = run_retrial(folder, replay);
  CHECK(gone.code == 4);
  CHECK_THAT(gone.err, has_text("c.yaml is gone (sha256 "));
}

TEST_CASE("trials of our own workloads need no consent") {
  const Folder folder;
  REQUIRE(run_retrial(folder, {"run", "null", "--pairs", "2", "--seed", "1", "--db", "n.db"}).code == 0);
  CHECK(run_retrial(folder, {"replay", "n.db", "base/0"}).code == 0);
}

TEST_CASE("a command that was changed in the store is not started, with or without consent") {
  const Folder folder;
  const auto ran = replayed(folder, forged_command, {"--allow-commands", "--any-program"});
  CHECK(ran.code == 6);
  CHECK_THAT(ran.err, has_text("was changed after its study was planned"));
  CHECK_FALSE(std::filesystem::exists(folder.path / "forged"));
}

TEST_CASE("a forger who seals the plan again is found by the identity") {
  const Folder folder;
  (void)replayed(folder, forged_command);
  seal_again(folder);
  const auto ran = run_retrial(folder, {"replay", "c.db", "a/0", "--allow-commands", "--any-program"});
  CHECK(ran.code == 6);
  CHECK_THAT(ran.err, has_text("a/0 is not the one that its identity names"));
  CHECK_FALSE(std::filesystem::exists(folder.path / "forged"));
}

}  // namespace retrial::tests::stored_command_tests
