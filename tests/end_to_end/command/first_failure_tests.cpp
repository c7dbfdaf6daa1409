// A study that cannot work stops at its first trial, says why, and leaves the reason in the store.
#include "tests/catch.hpp"
#include "tests/end_to_end/command/own_script.hpp"
#include "tests/harness/program/program.hpp"

#include "results/store/store.hpp"

namespace retrial::tests::first_failure_tests {

using retrial::results::Store;

namespace {

/// Six pairs of the script, up to four trials at a time.
Words line_of(const Folder& folder, const std::string& script, const Words& more = {}) {
  return run_of_script(folder, script, "6", both({"--read", "acc", "--higher", "--jobs", "4"}, more));
}

std::size_t attempts(const Folder& folder, const std::string& store = "command.db") {
  return Store(folder / store, Store::Access::read).trials().size();
}

const std::string fails = "echo epoch 1; echo 'ValueError: bad lr'; exit 3";

}  // namespace

TEST_CASE("when the first trial of every variant fails alike the others are not run, whatever --jobs is") {
  const Folder folder;
  const auto ran = run_retrial(folder, line_of(folder, fails));
  INFO(ran.out << ran.err);
  CHECK(ran.code == 5);
  CHECK_THAT(ran.out, has_text("0 of 12 trials done, 2 failed, 10 not finished"));
  CHECK_THAT(ran.err, has_text("the first trial of every variant failed in the same way (command.exit)"));
  CHECK_THAT(ran.err, has_text("--keep-going"));
  CHECK(attempts(folder) == 2);

  // The same line stops at once, --retry-failed tries the two again, --keep-going runs all.
  const auto again = run_retrial(folder, line_of(folder, fails, {"--json"}));
  CHECK(again.code == 5);
  CHECK(field(again.out, "failed_alike") == "command.exit");
  CHECK(field(again.out, "unfinished") == "10");
  CHECK(run_retrial(folder, line_of(folder, fails, {"--retry-failed"})).code == 5);
  CHECK(attempts(folder) == 4);
  const auto all = run_retrial(folder, line_of(folder, fails, {"--keep-going", "--json"}));
  CHECK(all.code == 5);
  CHECK(field(all.out, "failed") == "12");
}

TEST_CASE("the first failure is printed while the study runs, its reason before the rest") {
  const Folder folder;
  const auto ran = run_retrial(folder, line_of(folder, fails));
  INFO(ran.err);
  CHECK_THAT(ran.err, has_text("/0 failed: ValueError: bad lr\n    command.exit: `sh p.sh "));
  CHECK_THAT(ran.err, has_text("\n      epoch 1\n      ValueError: bad lr\n"));
  CHECK(ran.err.find("/0 failed:") == ran.err.rfind("/0 failed:"));
}

TEST_CASE("variants that fail in different ways, or of which one works, are run to the end") {
  const Folder folder;
  const auto differ = run_retrial(folder, line_of(folder, "test $2 = 1 || exit 3", {"--json"}));
  INFO(differ.out << differ.err);
  CHECK(field(differ.out, "failed") == "12");
  CHECK(field(differ.out, "unfinished") == "0");
  const Folder other;
  const auto one = run_retrial(other, line_of(other, "test $2 = 1 || exit 3; echo acc=.$1", {"--json"}));
  INFO(one.out << one.err);
  CHECK(field(one.out, "failed") == "6");
  CHECK(field(one.out, "finished") == "6");
  CHECK_THAT(one.out, !has_text("failed_alike"));
}

TEST_CASE("a study of one variant stops at its first failed trial") {
  const Folder folder;
  const auto ran = run_retrial(folder, {"run", "--command", "sh -c 'exit 3' {seed}", "--read", "acc", "--higher",
                                        "--pairs", "5", "--seed", "1"});
  INFO(ran.err);
  CHECK(ran.code == 5);
  CHECK_THAT(ran.err, has_text("its first trial failed (command.exit)"));
  CHECK(attempts(folder) == 1);
}

TEST_CASE("a built-in workload stops too, and its study can be gone on with") {
  const Folder folder;
  const std::vector<std::string> line{"run", "null", "--pairs", "50", "--seed", "1", "--set", "failure=throw"};
  const auto ran = run_retrial(folder, line);
  INFO(ran.out << ran.err);
  CHECK(ran.code == 5);
  CHECK_THAT(ran.err, has_text("failed in the same way (null.thrown)"));
  CHECK(attempts(folder, "null.db") < 50);
}

TEST_CASE("without --seed the same line starts a new study after a study in which nothing could run") {
  const Folder folder;
  auto line = line_of(folder, fails);
  const auto seed = std::find(line.begin(), line.end(), "--seed");
  line.erase(seed, seed + 2);
  REQUIRE(run_retrial(folder, line).code == 5);
  write_file(folder / "p.sh", "echo acc=0.$1\n");
  const auto mended = run_retrial(folder, line);
  INFO(mended.out << mended.err);
  CHECK(mended.code == 0);
  CHECK_THAT(mended.out, has_text("12 of 12 trials done"));
}

TEST_CASE("with --seed the line that works after an edit of the program is printed, and works") {
  const Folder folder;
  const auto line = line_of(folder, fails);
  const auto failed = run_retrial(folder, line);
  const std::string next = "add --db command-2.db to the same line";
  CHECK_THAT(failed.err, has_text("after an edit of its files " + next));
  const auto mended = line_of(folder, "echo acc=0.$1");
  const auto refused = run_retrial(folder, mended);
  INFO(refused.err);
  CHECK(refused.code == 4);
  CHECK_THAT(refused.err, has_text("p.sh changed") && has_text("none of its trials has worked: " + next));
  CHECK_THAT(run_retrial(folder, line_of(folder, "echo acc=0.$1", {"--db", "command-2.db"})).out,
             has_text("12 of 12 trials done"));
  // The name that is offered is that of no file.
  write_file(folder / "p.sh", "echo acc=1.$1\n");
  CHECK_THAT(run_retrial(folder, mended).err, has_text("add --db command-3.db to the same line"));
}

TEST_CASE("status and show give the reason first, and show prints output, command line and decimal seed") {
  const Folder folder;
  write_file(folder / "p.sh", "echo got $1; echo acc=0.5; echo 'ValueError: bad lr'; test $2 = 1 || exit 3\n");
  const auto ran =
      run_retrial(folder, {"run", "--command", "a=sh p.sh {seed} 1", "--command", "b=sh p.sh {seed} 2", "--read", "acc",
                           "--higher", "--pairs", "2", "--seed", "1", "--allow-constant"});
  INFO(ran.err);
  CHECK(ran.code == 5);
  CHECK_THAT(run_retrial(folder, {"status", "command.db"}).out,
             has_text("b/1, ValueError: bad lr | command.exit: `sh p.sh"));
  CHECK_THAT(run_retrial(folder, {"show", "command.db"}).out, has_text("ValueError: bad lr | command.exit: `sh p.sh"));

  // The program printed the seed that it was given: an oracle for the page.
  const auto output = run_retrial(folder, {"show", "command.db", "a/1", "--output"});
  INFO(output.out << output.err);
  CHECK(output.code == 0);
  REQUIRE(output.out.starts_with("got "));
  const auto seed = output.out.substr(4, output.out.find('\n') - 4);
  CHECK(output.out == "got " + seed + "\nacc=0.5\nValueError: bad lr\n");
  const auto page = run_retrial(folder, {"show", "command.db", "a/1"});
  INFO(page.out);
  CHECK_THAT(page.out, has_text("command      sh p.sh " + seed + " 1\n"));
  CHECK_THAT(page.out, has_text("  " + seed + "\n"));

  const auto failed = run_retrial(folder, {"show", "command.db", "b/1"});
  CHECK_THAT(failed.out, has_text("reason       ValueError: bad lr\n"));
  CHECK_THAT(failed.out, has_text("  acc=0.5\n  ValueError: bad lr\n"));
  CHECK_THAT(run_retrial(folder, {"show", "command.db", "b/1", "--output"}).out, has_text("got " + seed + "\n"));
  CHECK(field(run_retrial(folder, {"show", "command.db", "b/1", "--output", "--json"}).out, "trial") == "b/1");
}

TEST_CASE("what keeps a command from starting is refused before anything is stored") {
  const Folder folder;
  write_file(folder / "train.sh", "echo acc=1\n");
  for (const std::string command : {"no-such-program {seed}", "sh trian.sh {seed}", "./train.sh {seed}"}) {
    const auto ran = run_retrial(
        folder, {"run", "--command", command, "--read", "acc", "--higher", "--pairs", "2", "--program-label", "x"});
    INFO(ran.err);
    CHECK(ran.code == 2);
    CHECK_THAT(ran.err, has_text("command.command = "));
    CHECK_FALSE(std::filesystem::exists(folder / "command.db"));
  }
  const auto nowhere = run_retrial(folder, {"run", "--command", "sh train.sh {seed}", "--workdir", "/nowhere", "--read",
                                            "acc", "--higher", "--pairs", "2"});
  CHECK(nowhere.code == 2);
  CHECK_THAT(nowhere.err, has_text("command.workdir = /nowhere: no such folder"));
  CHECK(run_retrial(folder, {"check", "--command", "sh trian.sh {seed}", "--read", "acc"}).code == 2);
}

}  // namespace retrial::tests::first_failure_tests
