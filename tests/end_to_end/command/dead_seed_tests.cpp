// A program that ignores its seed: `run` stops after three pairs, `compare` says INVALID, and what only looks like it
// (a metric at its bound, an output that differs, a variant without a seed) is judged with a remark.
#include "tests/catch.hpp"
#include "tests/end_to_end/command/own_script.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::dead_seed_tests {

namespace {

/// Eight pairs of the script, one trial at a time.
Words line_of(const Folder& folder, const std::string& script, const Words& more = {}) {
  return run_of_script(folder, script, "8", both({"--read", "acc", "--higher", "--jobs", "1"}, more));
}

Ran compare(const Folder& folder, const Words& more = {}) {
  return tests::compare(folder, "command.db", more);
}

const std::string ignores = "echo seed $1, took 0.$(($1 % 7)) s; echo acc=0.8$2";

}  // namespace

TEST_CASE("a program that ignores its seed is stopped after three pairs, and its verdict is INVALID") {
  const Folder folder;
  const auto ran = run_retrial(folder, line_of(folder, ignores));
  INFO(ran.out << ran.err);
  CHECK(ran.code == 4);
  CHECK_THAT(ran.err, has_text("dead-source: the seed of"));
  CHECK_THAT(ran.err, has_text("--allow-constant"));
  // Three trials of the variant that is first in the plan, two or three of the other.
  CHECK_THAT(ran.out, has_text("of 16 trials done"));
  CHECK_THAT(ran.out, has_text("not finished"));
  const auto judged = compare(folder, {"--json"});
  INFO(judged.out << judged.err);
  CHECK(judged.code == 0);
  CHECK(field(judged.out, "status") == "INVALID");
  CHECK(field(judged.out, "reason") == "dead-source");
  const auto page = compare(folder);
  CHECK_THAT(page.out, has_text("INVALID (dead-source): the seed of"));
  CHECK_THAT(page.out, !has_text("e-0"));
  CHECK(compare(folder, {"--require", "better"}).code == 4);
  // The same line stops at once: nothing more is run.
  const auto again = run_retrial(folder, line_of(folder, ignores, {"--json"}));
  CHECK(again.code == 4);
  CHECK(field(again.out, "finished") == "0");
  CHECK(field(again.out, "dead_source.0") != "");
}

TEST_CASE("the clock in an output hides no dead seed") {
  const Folder folder;
  const auto ran = run_retrial(folder, line_of(folder, "date +%s.%N; date +'%F %T'; echo acc=0.8$2"));
  INFO(ran.out << ran.err);
  CHECK(ran.code == 4);
  CHECK_THAT(ran.err, has_text("dead-source: the seed of"));
}

TEST_CASE("with --allow-constant the run goes on and is judged") {
  const Folder folder;
  REQUIRE(run_retrial(folder, line_of(folder, ignores)).code == 4);
  const auto ran = run_retrial(folder, line_of(folder, ignores, {"--allow-constant", "--json"}));
  INFO(ran.out << ran.err);
  REQUIRE(ran.code == 0);
  CHECK(field(ran.out, "unfinished") == "0");
  const auto judged = compare(folder, {"--json"});
  CHECK(field(judged.out, "status") == "BETTER");
  CHECK_THAT(judged.out, has_text("the seed of b changes nothing"));
  CHECK(run_retrial(folder, {"verify", "command.db"}).code == 0);
}

TEST_CASE("a test of the scores of a dead seed is refused") {
  const Folder folder;
  REQUIRE(run_retrial(folder, line_of(folder, ignores)).code == 4);
  for (const std::string how : {"--test", "--adjust"}) {
    const auto tested = compare(folder, {how, how == "--test" ? "sign" : "holm"});
    INFO(tested.out << tested.err);
    CHECK(tested.code == 4);
    CHECK_THAT(tested.err, has_text("dead-source"));
  }
}

TEST_CASE("a seed that shows in the output, a score at its bound and a seed that is used are judged") {
  const auto [script, status, remark] = GENERATE(table<std::string, std::string, std::string>(
      {{"echo loss=$(($1 % 1000)); echo acc=0.8$2", "BETTER", "only other parts of their output differ"},
       {"echo acc=$(($2 - 1))", "BETTER", "at its bound"},
       {"echo acc=$2.$1", "BETTER", ""}}));
  const Folder folder;
  const auto ran = run_retrial(folder, line_of(folder, script));
  INFO(script << "\n" << ran.out << ran.err);
  REQUIRE(ran.code == 0);
  const auto judged = compare(folder, {"--json"});
  CHECK(field(judged.out, "status") == status);
  CHECK_THAT(judged.out, has_text(remark));
  if (remark.empty()) CHECK_THAT(judged.out, !has_text("seed of"));
}

TEST_CASE("a program that uses a part of its seed is judged with a warning, one that uses all of it without") {
  const auto verdict = [](const std::string& seed) {
    const Folder folder;
    const auto ran =
        run_of_script(folder, "echo acc=" + seed + ".5$2", "20", {"--read", "acc", "--higher", "--jobs", "1"});
    REQUIRE(run_retrial(folder, ran).code == 0);
    return compare(folder, {"--json"}).out;
  };
  const auto folded = verdict("$(($1 % 4))");
  INFO(folded);
  CHECK(field(folded, "status") == "BETTER");
  CHECK_THAT(folded, has_text("20 pairs with different seeds gave only 4 different outcomes"));
  CHECK_THAT(folded, has_text("only 4 pairs are independent, not 20"));
  CHECK_THAT(verdict("$1"), !has_text("different outcomes"));
}

TEST_CASE("a cost is judged although the printed numbers repeat") {
  const Folder folder;
  const auto ran = run_retrial(folder, line_of(folder, ignores, {"--metric", "wall_s"}));
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  CHECK_THAT(compare(folder).out, !has_text("dead-source"));
}

TEST_CASE("a side without a seed is constant by declaration; all of them without one are refused") {
  const Folder folder;
  const auto run = [&](const std::string& other) {
    return run_retrial(folder, {"run", "--command", "a=echo acc=0.5", "--command", "b=" + other, "--read", "acc",
                                "--higher", "--pairs", "6", "--seed", "1"});
  };
  const auto refused = run("echo acc=0.6");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, has_text("uses no seed"));
  const auto ran = run("echo acc={seed}");
  INFO(ran.out << ran.err);
  REQUIRE(ran.code == 0);
  CHECK_THAT(ran.err, has_text("a is constant by declaration"));
  const auto judged = compare(folder, {"--json"});
  CHECK(field(judged.out, "status") == "BETTER");
  CHECK_THAT(judged.out, has_text("a is constant by declaration"));
}

TEST_CASE("a variant that repeats the numbers of another one is named") {
  const Folder folder;
  REQUIRE(run_retrial(folder, {"run", "--command", "a=echo acc={seed}", "--command", "b=echo acc=1{seed}", "--command",
                               "c=printf acc=1%s {seed}", "--read", "acc", "--higher", "--pairs", "6", "--seed", "1"})
              .code == 0);
  const auto judged = compare(folder, {"--json"});
  INFO(judged.out << judged.err);
  CHECK_THAT(judged.out, has_text("c repeats acc of b exactly in 6 pairs"));
  CHECK_THAT(judged.out, !has_text("of a exactly"));
}

}  // namespace retrial::tests::dead_seed_tests
