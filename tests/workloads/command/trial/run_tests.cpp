#include <cmath>
#include <fstream>
#include <thread>

#include "results/digest/sha256.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "tests/workloads/interface/log_recorder.hpp"
#include "workloads/command/line/command_line.hpp"

namespace retrial::tests::trial_run_tests {

using namespace retrial;
using namespace retrial::workloads;

namespace {

std::string text(const std::string& value) {
  return value;
}

Trial command_trial(const std::string& command, Values more = {}) {
  more["command"] = command;
  more.try_emplace("read", text("score"));
  return trial_of("command", more);
}

struct Failure {
  std::string kind, message;
};
Failure failure_of(const Trial& trial) {
  try {
    (void)run_to_end(trial);
  } catch (const TrialFailure& failure) {
    return {failure.kind, failure.what()};
  }
  return {"none", ""};
}

/// "1:0.5 2:0.75 ": the points of a curve.
std::string points(const LogRecorder& log, const std::string& name) {
  std::ostringstream out;
  for (const auto& one : log.metrics)
    if (one.name == name && one.step >= 0) out << one.step << ":" << one.value << " ";
  return out.str();
}

std::string sha256_hex(const std::string& bytes) {
  return results::hex(results::sha256(bytes));
}

}  // namespace

namespace {

/// Apart from what some CPUs only have: their counter of instructions.
std::vector<std::string> names_of(const std::vector<std::pair<std::string, std::string>>& artifacts) {
  std::vector<std::string> out;
  for (const auto& [name, _] : artifacts)
    if (name != "counted_by") out.push_back(name);
  return out;
}

}  // namespace

TEST_CASE("a program whose GPU was throttled is measured again, three times at most") {
  const test::Folder folder;
  const auto starts = (folder.path() / "starts").string();
  const auto trial = [&](const std::string& slow_starts) {
    return command_trial("echo . >> " + starts + "; n=$(wc -l < " + starts + "); c=1400; [ $n -le " + slow_starts +
                             " ] && c=1000; echo sm_clock_mhz=$c sm_clock_default_mhz=1400 score=$n # {seed}",
                         {{"read", text("score\nsm_clock_mhz\nsm_clock_default_mhz")}, {"shell", true}});
  };
  const auto log = run_to_end(trial("2"));
  CHECK(log.final_value("score") == 3);  // the third start, and nothing of the two before
  CHECK(log.final_value("sm_clock_mhz") == 1400);
  CHECK(log.warnings.size() == 2);
  std::filesystem::remove(starts);
  const auto never = failure_of(trial("9"));
  CHECK(never.kind == "command.throttled");
  CHECK(never.message == "the GPU was throttled: 1000.0 MHz of 1400.0 MHz");
  std::ifstream lines(starts);
  CHECK(std::count(std::istreambuf_iterator<char>(lines), {}, '\n') == 4);
}

TEST_CASE("a program's metrics, costs and output are recorded") {
  const auto log = run_to_end(command_trial("echo 'score = 0.5, loss: 2' {seed}", {{"read", text("score\nloss")}}));
  CHECK(log.final_value("score") == 0.5);
  CHECK(log.final_value("loss") == 2.0);
  CHECK(log.final_value("wall_s") > 0);
  CHECK(log.final_value("cpu_s") >= 0);
  REQUIRE(names_of(log.artifacts) == std::vector<std::string>{"output"});
  CHECK_THAT(log.artifacts[0].second, has_text("score = 0.5, loss: 2"));
  CHECK_FALSE(log.diverged_at);
}

TEST_CASE("the seed reaches the program as argument and as variable, and they agree") {
  const auto trial = command_trial("sh -c 'echo score=$TRIAL_SEED; echo arg=$0; echo pair=$TRIAL_PAIR' {seed}",
                                   {{"read", text("score\narg\npair")}});
  const auto log = run_to_end(trial);
  CHECK(log.final_value("score") == static_cast<double>(trial.seed("seed") >> 33));
  CHECK(log.final_value("arg") == log.final_value("score"));
  CHECK(log.final_value("pair") == 0.0);
}

TEST_CASE("a failing program is quoted with its exit code and its last lines") {
  const auto failed = failure_of(command_trial("sh -c 'echo one; echo two >&2; exit 3' {seed}"));
  CHECK(failed.kind == "command.exit");
  CHECK_THAT(failed.message, has_text("exited with 3; last lines:\n  one\n  two"));
  const auto killed = failure_of(command_trial("sh -c 'kill -9 $$' {seed}"));
  CHECK(killed.kind == "command.signal");
  CHECK_THAT(killed.message, has_text("signal 9 (Killed)"));
  CHECK(failure_of(command_trial("no-such-program-7 {seed}")).kind == "command.not_found");
}

TEST_CASE("a metric that is missing fails the trial and shows what there was") {
  const auto failed = failure_of(command_trial("echo scores: 5 {seed}"));
  CHECK(failed.kind == "command.no_metric");
  CHECK_THAT(failed.message, has_text("no number \"score\" in the output, though this line holds the word: "
                                      "\"scores: 5 "));
  CHECK_THAT(failed.message, has_text("; --read 'score~REGEX' with one (...) around the number reads another form"));
  CHECK_THAT(failure_of(command_trial("echo nothing {seed}")).message,
             has_text("no number \"score\" in the output; last lines:\n  nothing"));
  CHECK(failure_of(command_trial("echo score: abc {seed}", {{"read", text("score~score: (\\S+)")}})).kind ==
        "command.no_metric");
}

TEST_CASE("a judged metric that is not finite makes the trial a diverged one") {
  const auto log = run_to_end(command_trial("echo score = nan {seed}"));
  CHECK(std::isnan(log.final_value("score")));
  CHECK(log.diverged_at == -1);
  CHECK_FALSE(
      run_to_end(command_trial("echo score = 1, loss = inf, {seed}", {{"read", text("score\nloss")}})).diverged_at);
}

TEST_CASE("metrics are read from the last line of JSON or from a file") {
  const auto from_line =
      run_to_end(command_trial("echo '{\"eval\": {\"score\": 0.25}}' # {seed}",
                               {{"read", text("eval.score")}, {"shell", true}, {"read_json", text("-")}}));
  CHECK(from_line.final_value("eval.score") == 0.25);
  const Values file{{"read_json", text("{out}/m.json")}, {"shell", true}};
  CHECK(run_to_end(command_trial("echo '{\"score\": 1e-3}' > {out}/m.json # {seed}", file)).final_value("score") ==
        1e-3);
  CHECK(failure_of(command_trial("true {seed}", file)).kind == "command.no_json");
  CHECK(failure_of(command_trial("echo nonsense > {out}/m.json # {seed}", file)).kind == "command.bad_json");
  CHECK(failure_of(command_trial("echo '{\"scores\": 1}' > {out}/m.json # {seed}", file)).kind == "command.no_metric");
}

TEST_CASE("a JSON without the metric is shown by the numbers that it has") {
  const auto failed = failure_of(command_trial("echo '{\"scores\": 1, \"eval\": {\"f1\": 2}}' # {seed}",
                                               {{"read_json", text("-")}, {"shell", true}}));
  CHECK(failed.kind == "command.no_metric");
  CHECK_THAT(failed.message,
             has_text("no number \"score\" in its JSON, which holds eval.f1, scores; did you mean scores?"));
  const auto words =
      failure_of(command_trial("echo '{\"score\": null}' # {seed}", {{"read_json", text("-")}, {"shell", true}}));
  CHECK(words.message == "\"score\" in its JSON, line 1, is not a number");
}

TEST_CASE("colors do not hide a number") {
  const auto log = run_to_end(command_trial("printf 'score=\\033[32m0.5\\033[0m\\n%.0s' {seed}"));
  CHECK(log.final_value("score") == 0.5);
  CHECK_THAT(log.artifacts[0].second, has_text("score=0.5"));
}

TEST_CASE("a metric that is read as a curve has its points and the last of them") {
  const auto log = run_to_end(command_trial("printf 'score=1\\nscore=3\\nscore=2\\n%.0s' {seed}",
                                            {{"read", text("")}, {"read_curve", text("score:lower")}}));
  CHECK(log.final_value("score") == 2.0);
  CHECK(points(log, "score") == "1:1 2:3 3:2 ");
  const auto both = run_to_end(command_trial("printf 'score=1\\nscore=3\\nfinal 7\\n%.0s' {seed}",
                                             {{"read", text("score~final (\\d+)")}, {"read_curve", text("score")}}));
  CHECK(both.final_value("score") == 7.0);
  CHECK(points(both, "score") == "1:1 2:3 ");
  const auto failed =
      failure_of(command_trial("printf 'score=1\\nscore=n/a\\n%.0s' {seed}", {{"read_curve", text("score")}}));
  CHECK(failed.kind == "command.bad_curve");
  CHECK_THAT(failed.message, has_text("line 2: "));
}

TEST_CASE("the curve of an output that was too long to keep is not read") {
  const auto failed = failure_of(
      command_trial("seq -f 'score=%.0f' 1 200000 # {seed}", {{"read_curve", text("score")}, {"shell", true}}));
  CHECK(failed.kind == "command.bad_curve");
  CHECK_THAT(failed.message, has_text("the beginning of the curve \"score\" is lost"));
}

TEST_CASE("the log of a program is read without being asked for, its steps as a curve") {
  const Values shell{{"shell", true}};
  const std::string lines =
      R"(printf '{"score": 1, "epoch": 1}\n{"score": 3, "epoch": 2}\n' > "$TRIAL_LOG"; echo score=9 # {seed})";
  const auto log = run_to_end(command_trial(lines, shell));
  CHECK(log.final_value("score") == 3.0);
  CHECK(points(log, "score") == "1:1 2:3 ");
  const auto last = run_to_end(command_trial(R"(echo '{"score": 5}' > "$TRIAL_LOG" # {seed})", shell));
  CHECK(last.final_value("score") == 5.0);
  CHECK(points(last, "score").empty());
  const auto elsewhere =
      failure_of(command_trial(R"(echo '{"loss": 5}' > "$TRIAL_LOG"; echo score=9 # {seed})", shell));
  CHECK_THAT(elsewhere.message, has_text("no number \"score\" in the file TRIAL_LOG, which holds loss"));
  CHECK(failure_of(command_trial(R"(echo nonsense > "$TRIAL_LOG"; echo score=9 # {seed})", shell)).kind ==
        "command.bad_json");
  CHECK(run_to_end(command_trial(R"(: > "$TRIAL_LOG"; echo score=9 # {seed})", shell)).final_value("score") == 9.0);
}

TEST_CASE("a file left over from an earlier trial is not taken for this one's result") {
  const test::Folder folder;
  folder.write("m.json", "{\"score\": 1}");
  const Values file{{"read_json", text("m.json")}, {"workdir", folder.path().string()}};
  const auto failed = failure_of(command_trial("true {seed}", file));
  CHECK(failed.kind == "command.no_json");
  CHECK_THAT(failed.message, has_text("unchanged since before the run"));
  const auto log = run_to_end(command_trial("sh -c 'echo {\\\"score\\\": 22} > m.json' {seed}", file));
  CHECK(log.final_value("score") == 22.0);
}

TEST_CASE("a relative file of results is looked for in the trial's own folder first") {
  const test::Folder folder;
  const Values file{{"read_json", text("m.json")}, {"workdir", folder.path().string()}};
  const std::string both =
      "sh -c 'echo {\\\"score\\\": 1} > m.json; echo {\\\"score\\\": 2} > $TRIAL_OUT/m.json' {seed}";
  CHECK(run_to_end(command_trial(both, file)).final_value("score") == 2.0);
}

TEST_CASE("a program that is told of its folder must write its results there, unless it says that it shares another") {
  const test::Folder folder;
  Values file{{"read_json", text("m.json")}, {"workdir", folder.path().string()}};
  const std::string outside = "sh -c 'echo {\\\"score\\\": 1} > m.json; echo $TRIAL_OUT' {seed}";
  const auto refused = failure_of(command_trial(outside, file));
  CHECK(refused.kind == "command.no_json");
  CHECK_THAT(refused.message, has_text("trials that run at the same time share it"));
  CHECK_THAT(refused.message, has_text("--shared-folder"));
  file["shared_folder"] = true;
  CHECK(run_to_end(command_trial(outside, file)).final_value("score") == 1.0);
}

TEST_CASE("trials that share a folder wait for each other") {
  const test::Folder folder;
  const Values shared{{"read_json", text("m.json")}, {"workdir", folder.path().string()}, {"shared_folder", true}};
  // Each adds itself to the number of programs that are running; alone, that is 1.
  const auto trial = command_trial(
      "sh -c 'echo x >> running; n=$(wc -l < running); sleep 0.1; echo {\\\"score\\\": $n} > m.json; rm running' "
      "{seed}",
      shared);
  std::vector<double> scores(4);
  std::vector<std::jthread> threads;
  for (auto& score : scores) threads.emplace_back([&] { score = run_to_end(trial).final_value("score"); });
  threads.clear();
  CHECK(scores == std::vector<double>(4, 1.0));
}

TEST_CASE("with copies the program starts in its own folder, among them") {
  const test::Folder folder;
  folder.write("p.sh", "cat data/n.txt > m.json; pwd > where; cmp -s where $TRIAL_OUT/where || echo elsewhere");
  folder.write("data/n.txt", "{\"score\": 5}");
  const auto trial = command_trial(
      "sh p.sh {seed}",
      {{"read_json", text("m.json")}, {"workdir", folder.path().string()}, {"copy", text("p.sh\ndata/n.txt")}});
  const auto log = run_to_end(trial);
  CHECK(log.final_value("score") == 5.0);
  CHECK(log.artifacts[0].second.empty());
  CHECK_FALSE(std::filesystem::exists(folder.path() / "m.json"));
}

TEST_CASE("a copy of a file of results is not taken for this trial's result") {
  const test::Folder folder;
  folder.write("m.json", "{\"score\": 5}");
  const auto failed = failure_of(command_trial(
      "true {seed}", {{"read_json", text("m.json")}, {"workdir", folder.path().string()}, {"copy", text("m.json")}}));
  CHECK_THAT(failed.message, has_text("unchanged since before the run"));
}

TEST_CASE("metrics are looked up in a text file, too") {
  const std::string command = "sh -c 'echo loss: 3; echo score: 1; echo score: 2 > $TRIAL_OUT/log.txt' {seed}";
  const Values both{{"read", text("score\nloss")}, {"read_file", text("log.txt")}};
  const auto log = run_to_end(command_trial(command, both));
  CHECK(log.final_value("score") == 2.0);
  CHECK(log.final_value("loss") == 3.0);
  CHECK_THAT(log.artifacts[0].second, !has_text("score: 2"));
  CHECK(failure_of(command_trial("echo score: 1 {seed}", both)).kind == "command.no_file_to_read");
}

TEST_CASE("files below {out} are digested by relative path, in order") {
  const auto log = run_to_end(command_trial(
      "sh -c 'cd {out}; mkdir sub; printf b > sub/b.bin; printf a > a.bin; echo x > c.txt; echo score=1' {seed}",
      {{"digest", text("*.bin")}}));
  REQUIRE(log.digests.size() == 2);
  CHECK(log.digests[0] == results::DigestValue{"a.bin", -1, "sha256", sha256_hex("a")});
  CHECK(log.digests[1] == results::DigestValue{"sub/b.bin", -1, "sha256", sha256_hex("b")});
}

TEST_CASE("a digest that finds nothing, too much, or no name fails the trial") {
  const Values any{{"digest", text("*")}};
  CHECK(failure_of(command_trial("echo score=1 {seed}", {{"digest", text("*.bin")}})).kind == "command.no_file");
  CHECK(failure_of(command_trial("sh -c 'cd {out}; seq 1001 | xargs touch; echo score=1' {seed}", any)).kind ==
        "command.too_many_files");
  CHECK(failure_of(command_trial("sh -c 'cd {out}; touch \"$(printf \"a\\377\")\"; echo score=1' {seed}", any)).kind ==
        "command.file_name");
  CHECK(run_to_end(command_trial("sh -c 'cd {out}; touch f; ln -s /etc/passwd link; echo score=1' {seed}", any))
            .digests.size() == 1);
}

TEST_CASE("{out} is an empty folder, gone afterwards unless it is to be kept") {
  const test::Folder folder;
  for (const bool keep : {false, true}) {
    const Place place{.out = folder.path() / "attempt"};
    const auto log = run_to_end(
        command_trial("sh -c 'ls -A {out} | wc -l | sed s/^/score=/; touch {out}/f' {seed}", {{"keep_out", keep}}),
        place);
    CHECK(log.final_value("score") == 0.0);
    CHECK(std::filesystem::exists(place.out / "f") == keep);
    CHECK(names_of(log.artifacts).size() == (keep ? 2U : 1U));
  }
  const Place place{.out = folder.path() / "failing"};
  CHECK_THROWS_AS(run_to_end(command_trial("false {seed}"), place), TrialFailure);
  CHECK_FALSE(std::filesystem::exists(place.out));
}

TEST_CASE("a shell is used only where it is asked for") {
  CHECK(run_to_end(command_trial("echo score=7 {seed} | cat", {{"shell", true}})).final_value("score") == 7.0);
  CHECK_THAT(run_to_end(command_trial("echo score=7 {seed} '|' cat")).artifacts[0].second, has_text("| cat"));
}

TEST_CASE("the working folder is the one that is named") {
  const test::Folder folder;
  folder.write("value.txt", "score = 11\n");
  const auto trial = command_trial("sh -c 'cat value.txt' {seed}", {{"workdir", folder.path().string()}});
  CHECK(run_to_end(trial).final_value("score") == 11.0);
}

TEST_CASE("one line of 10 MB is read without harm") {
  const auto log =
      run_to_end(command_trial("sh -c \"head -c 10000000 /dev/zero | tr '\\\\0' 'x'; echo ' score=3'\" {seed}"));
  CHECK(log.final_value("score") == 3.0);
  CHECK(log.artifacts[0].second.size() <= 4096);
}

TEST_CASE("a run can be saved and loaded before it starts") {
  const auto trial = command_trial("echo score=1 {seed}");
  std::stringstream checkpoint;
  const auto start = find_start("command");
  start(trial, {})->save(checkpoint);
  const auto run = start(trial, {});
  run->load(checkpoint);
  LogRecorder log;
  CHECK_FALSE(run->advance(log));
  CHECK(log.final_value("score") == 1.0);
  std::istringstream nonsense("x");
  CHECK_THROWS_AS(run->load(nonsense), TrialFailure);
}

}  // namespace retrial::tests::trial_run_tests
