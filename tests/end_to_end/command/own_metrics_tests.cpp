// What a program of the user prints along the way, and which of its numbers is judged, and how.
#include "tests/catch.hpp"
#include "tests/end_to_end/command/own_script.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::own_metrics_tests {

namespace {

/// Six pairs of the script in x.db.
Ran run(const Folder& folder, const std::string& script, const Words& more) {
  return run_retrial(folder, run_of_script(folder, script, "6", both({"--db", "x.db", "--json"}, more)));
}

Ran compare(const Folder& folder, const Words& more) {
  return tests::compare(folder, "x.db", more);
}

/// Three epochs; b is better in the last by more than any seed makes.
const std::string epochs =
    "for e in 1 2 3; do echo \"epoch $e: acc=$(($1 % 90 + e * $2 * 100)) loss=$((900 / e))\"; done";

}  // namespace

TEST_CASE("a program that prints a number per epoch has learning curves in its report, and its last one is judged") {
  const Folder folder;
  REQUIRE(run(folder, epochs, {"--read-curve", "acc:higher", "--read-curve", "loss:lower"}).code == 0);
  const auto report = run_retrial(folder, {"report", "x.db", "--format", "json"});
  INFO(report.err);
  REQUIRE(report.code == 0);
  CHECK(field(report.out, "curves.0.metric") == "acc");
  CHECK(field(report.out, "curves.1.metric") == "loss");
  // Variant, step, runs, median and quantiles: the loss of the third epoch is 900 / 3 in every run.
  CHECK(field(report.out, "curves.1.rows.2") == R"(["b",3,6,300.0,300.0,300.0])");
  const auto page = run_retrial(folder, {"report", "x.db", "--format", "md"});
  CHECK_THAT(page.out, has_text("acc during training, 6 and 6 runs"));
  CHECK(field(compare(folder, {"--json"}).out, "status") == "BETTER");
  CHECK(run_retrial(folder, {"verify", "x.db", "--full"}).code == 0);
  CHECK(run_retrial(folder, {"replay", "x.db", "b/2", "--allow-commands"}).code == 0);
}

TEST_CASE("without a curve the report says how to keep one") {
  const Folder folder;
  REQUIRE(run(folder, epochs, {"--read", "acc:higher"}).code == 0);
  CHECK_THAT(run_retrial(folder, {"report", "x.db", "--format", "md"}).out, has_text("--read-curve acc"));
}

TEST_CASE("lines of JSON with an epoch are the points of a curve") {
  const Folder folder;
  const auto ran =
      run(folder, "for e in 3 4; do echo \"{\\\"epoch\\\": $e, \\\"acc\\\": $(($1 % 90 + e * $2))}\"; done",
          {"--read-json", "-", "--read-curve", "acc:higher"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const auto shown = run_retrial(folder, {"report", "x.db", "--format", "json"});
  CHECK_THAT(field(shown.out, "curves.0.rows.0"), has_text("[\"b\",3,6,"));
  CHECK_THAT(field(shown.out, "curves.0.rows.1"), has_text("[\"b\",4,6,"));
}

TEST_CASE("check finds a curve that does not repeat although it ends in the same value") {
  const Folder folder;
  const Words line{"check", "--command", "sh -c 'echo acc=$$; echo acc=$0' {seed}", "--seeds", "2", "--repeats",
                   "2",     "--json"};
  Words curve = line, last = line;
  curve.insert(curve.end(), {"--read-curve", "acc:higher"});
  last.insert(last.end(), {"--read", "acc:higher"});
  const auto found = run_retrial(folder, curve);
  INFO(found.out << found.err);
  CHECK(found.code == 1);
  CHECK(field(found.out, "variants.0.findings.0.kind") == "not-reproducible");
  CHECK_THAT(found.out, has_text("metric acc"));
  CHECK(run_retrial(folder, last).code == 0);
}

TEST_CASE("a line of a curve without a number fails its trial and is named") {
  const Folder folder;
  const auto ran = run(folder, "echo acc=$1; echo acc = n/a; echo acc=1", {"--read-curve", "acc:higher"});
  CHECK(ran.code == 5);
  const auto shown = run_retrial(folder, {"show", "x.db", "a/0"});
  CHECK_THAT(shown.out, has_text("command.bad_curve"));
  CHECK_THAT(shown.out, has_text("line 2"));
}

TEST_CASE("every metric that says its direction can be judged afterwards") {
  const Folder folder;
  const auto ran = run(folder, "echo acc=$(($1 % 90)) loss=$(($1 % 90 + $2 * 100))",
                       {"--read", "acc:higher", "--read", "loss:lower"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const auto judged = compare(folder, {"--metric", "loss", "--json"});
  INFO(judged.err);
  CHECK(field(judged.out, "direction") == "lower");
  CHECK(field(judged.out, "status") == "WORSE");
  CHECK_THAT(judged.out, has_text("metric loss was chosen after the runs; declared was acc"));
}

TEST_CASE("a direction that the store does not have is taken from the line, and said not to be declared") {
  const Folder folder;
  REQUIRE(
      run(folder, "echo acc=$(($1 % 90)) loss=$(($1 % 90 + $2 * 100))", {"--read", "acc", "--read", "loss", "--higher"})
          .code == 0);
  const auto none = compare(folder, {"--metric", "loss"});
  CHECK(none.code == 2);
  CHECK_THAT(none.err, has_text("has no direction"));
  CHECK_THAT(none.err, has_text("add --higher or --lower"));
  const auto lower = compare(folder, {"--metric", "loss", "--lower", "--json"});
  INFO(lower.err);
  CHECK(field(lower.out, "status") == "WORSE");
  CHECK_THAT(lower.out, has_text("the direction of loss, lower is better, was chosen after the runs"));
  CHECK(field(compare(folder, {"--metric", "loss", "--higher", "--json"}).out, "status") == "BETTER");
  const auto test = compare(folder, {"--metric", "loss", "--lower", "--test", "wilcoxon"});
  CHECK(test.code == 0);
  CHECK_THAT(test.out + test.err, has_text("was chosen after the runs"));
  // The declared direction is the store's own: repeated it changes nothing, another one is refused.
  CHECK(compare(folder, {"--higher"}).code == 0);
  CHECK_THAT(compare(folder, {"--higher", "--json"}).out, !has_text("the direction of acc"));
  const auto other = compare(folder, {"--lower"});
  CHECK(other.code == 2);
  CHECK_THAT(other.err, has_text("--lower: contradicts the store: higher is better for metric acc"));
}

TEST_CASE("a time that was measured side by side is shown with a warning and satisfies no requirement") {
  const Folder folder;
  const std::string script = "sleep 0.05; echo acc=$1";
  REQUIRE(run(folder, script, {"--read", "acc:higher", "--jobs", "2"}).code == 0);
  const auto shown = compare(folder, {"--metric", "wall_s"});
  INFO(shown.out << shown.err);
  CHECK(shown.code == 0);
  CHECK_THAT(shown.out, has_text("ran side by side"));
  CHECK_THAT(shown.out, !has_text("INVALID"));
  const auto required = compare(folder, {"--metric", "wall_s", "--require", "not-worse"});
  CHECK(required.code == 4);
  CHECK_THAT(required.out, has_text("INVALID (side-by-side)"));
  const auto test = compare(folder, {"--metric", "wall_s", "--test", "wilcoxon", "--require", "better"});
  CHECK(test.code == 4);
  CHECK_THAT(test.err, has_text("INVALID (side-by-side)"));
  // Another metric of the same trials is no time.
  CHECK_THAT(compare(folder, {}).out, !has_text("side by side"));
  CHECK_THAT(compare(folder, {"--metric", "peak_rss_mib"}).out, !has_text("side by side"));
}

TEST_CASE("of several numbers behind one word in a line the last is read, which is said once") {
  const Folder folder;
  const auto ran = run(folder, "echo \"top-1 acc 0.$1 / top-5 acc 0.9$1\"", {"--read", "acc:higher"});
  INFO(ran.err);
  CHECK(ran.code == 0);
  const std::string said = "the line that is read has 2 numbers after \"acc\", of which the last one counts: --read";
  CHECK_THAT(ran.err, has_text(said));
  CHECK(ran.err.find(said) == ran.err.rfind(said));
  const Folder other;
  CHECK_THAT(run(other, "echo acc 0.$1; echo acc 0.9$1, loss 3", {"--read", "acc:higher"}).err, !has_text("counts"));
  const Folder bar;
  CHECK_THAT(run(bar, "printf 'acc 0.1\\racc 0.2\\racc 0.9%s\\r\\n' $1", {"--read", "acc:higher"}).err,
             !has_text("counts"));
  const Folder diverged;
  CHECK_THAT(run(diverged, "echo acc nan", {"--read", "acc:higher", "--allow-constant"}).err, !has_text("counts"));
}

TEST_CASE("an output without a line of JSON says so, and shows the line that holds the word") {
  const Folder folder;
  const auto ran =
      run(folder, "echo 'INFO {\"acc\": 0.9}'", {"--read-json", "-", "--read", "acc:higher", "--keep-going"});
  CHECK_THAT(ran.err,
             has_text("no line of it is a JSON object, though this line holds the word: \"INFO {\"acc\": 0.9}"));
}

TEST_CASE("a registered claim on a time that was measured side by side warns, and satisfies no requirement") {
  for (const std::string jobs : {"2", "1"}) {
    const Folder folder;
    write_file(folder / "s.toml", R"(schema = 1
name = "s"
workload = "command"
seed = 1
pairs = 3
[set]
read = "acc"
direction = "higher"
[variant.a]
command = "sh -c 'sleep 0.1; echo acc=$(($0 % 10))' {seed}"
[variant.b]
command = "sh -c 'sleep 0.1; echo acc=$(($0 % 100))' {seed}"
[claim.fast]
metric = "wall_s"
candidate = "b"
baseline = "a"
expect = "not-higher"
margin = 100.0
test = "paired_t"
[claim.same]
metric = "acc"
candidate = "b"
baseline = "a"
expect = "not-higher"
margin = 1000.0
test = "paired_t"
)");
    const auto ran = run_retrial(folder, {"run", "s.toml", "--jobs", jobs});
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    const auto shown = run_retrial(folder, {"compare", "s.db", "--claims"});
    const auto document = run_retrial(folder, {"compare", "s.db", "--claims", "--json"}).out;
    const auto required = run_retrial(folder, {"compare", "s.db", "--claims", "--require", "hold"});
    INFO(jobs << "\n" << shown.out << required.out << required.err);
    CHECK(field(document, "claims.0.verdict") == "HOLDS");
    if (jobs == "2") {
      CHECK_THAT(shown.out, has_text("warning: fast: ") && has_text("ran side by side"));
      CHECK(required.code == 4);
      CHECK_THAT(required.out, has_text("INVALID") && has_text("fast: side-by-side: "));
      CHECK_THAT(required.out, !has_text("same: side-by-side"));
    } else {
      CHECK_THAT(shown.out + required.out, !has_text("side by side") && !has_text("INVALID"));
      CHECK(field(document, "warnings") == "[]");
      CHECK(required.code == 0);
    }
  }
}

TEST_CASE("a time that was measured alone is judged without a word") {
  const Folder folder;
  REQUIRE(run(folder, "sleep 0.05; echo acc=$1", {"--read", "acc:higher", "--jobs", "1"}).code == 0);
  const auto required = compare(folder, {"--metric", "wall_s", "--require", "not-worse"});
  INFO(required.out << required.err);
  CHECK_THAT(required.out,
             !has_text("INVALID"));  // any other word, by chance BETTER too, which no requirement takes here
  CHECK_THAT(required.out, has_text("wall_s"));
  CHECK_THAT(required.out, !has_text("side by side"));
}

TEST_CASE("the environment varies the seeds that are named, by default the one of the program") {
  const Folder folder;
  const auto varied = [&](const Words& option) {
    Words line{"plan",       "--command", "a=true", "--command", "b=true --x", "--read",
               "acc:higher", "--pairs",   "2",      "--seed",    "1",          "--json"};
    line.insert(line.end(), option.begin(), option.end());
    const auto planned = run_retrial(folder, line);
    return planned.code == 0 ? field(planned.out, "study.vary") : planned.err;
  };
  CHECK(varied({"--env-seed"}) == R"(["seed"])");
  CHECK(varied({"--env-seed", "init,data-order"}) == R"(["init","data-order"])");
  CHECK(varied({"--env-seed=init"}) == R"(["init"])");
  CHECK(varied({"--set", "env_seed=true"}) == R"(["seed","data-order"])");
  CHECK_THAT(varied({"--env-seed", "data_order"}), has_text("did you mean data-order?"));
}

TEST_CASE("a program reads the seed that --env-seed names") {
  const Folder folder;
  const auto ran = run_retrial(folder, {"run", "--command", "a=sh -c 'echo acc=$TRIAL_SEED_INIT'", "--command",
                                        "b=sh -c 'echo acc=${TRIAL_SEED_INIT}0'", "--env-seed", "init", "--read",
                                        "acc:higher", "--pairs", "3", "--seed", "1"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
}

}  // namespace retrial::tests::own_metrics_tests
