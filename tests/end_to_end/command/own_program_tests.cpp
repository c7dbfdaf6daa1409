// Third-party programs, unchanged: two commands compared, one checked.
#include "tests/catch.hpp"
#include "tests/end_to_end/command/own_script.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::own_program_tests {

namespace {

const std::string examples = std::string(RETRIAL_SOURCE_DIR) + "/examples";
std::string train(const std::string& rate) {
  return "python3 " + examples + "/python/train.py --lr " + rate + " --seed {seed}";
}

}  // namespace

TEST_CASE("two commands are compared over pairs and the verdict names both") {
  const Folder folder;
  const auto ran =
      run_retrial(folder, {"run", "--command", "slow=" + train("0.01"), "--command", "fast=" + train("0.5"), "--read",
                           "accuracy", "--higher", "--pairs", "6", "--seed", "4", "--json"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  CHECK(field(ran.out, "finished") == "12");
  const auto verdict = run_retrial(folder, {"compare", "command.db"});
  INFO(verdict.err);
  CHECK(verdict.code == 0);
  CHECK_THAT(verdict.out, has_text("slow"));
  CHECK_THAT(verdict.out, has_text("fast"));
  // Its trials replay, too.
  CHECK(run_retrial(folder, {"replay", "command.db", "fast/3", "--allow-commands"}).code == 0);
}

namespace {

// Trials that run at the same time and write one file read each other's numbers: b is a + 5000 by construction.
const std::string race = "echo \"{\\\"acc\\\": $(($1 % 1000 + $2))}\" > result.json; sleep 0.05\n";

Words race_line(const std::string& script, const std::string& store, const Words& more) {
  return both({"run", "--command", "a=sh " + script + " {seed} 0", "--command", "b=sh " + script + " {seed} 5000",
               "--read-json", "result.json", "--read", "acc", "--higher", "--pairs", "6", "--seed", "1", "--db", store},
              more);
}

/// Every pair has the difference that its two programs were given: no number comes from another trial.
void check_scores(const Folder& folder, const std::string& store) {
  const auto compared = run_retrial(folder, {"compare", store});
  INFO(compared.out << compared.err);
  CHECK_THAT(compared.out, has_text("+5000"));
  CHECK_THAT(compared.out, has_text("identical in every pair"));
}

}  // namespace

TEST_CASE("a file of results that parallel trials would share is refused before anything is stored") {
  const Folder folder;
  write_file(folder / "race.sh", race);
  const auto ran = run_retrial(folder, race_line("race.sh", "race.db", {"--jobs", "4"}));
  CHECK(ran.code == 2);
  CHECK_THAT(ran.err, has_text("command.read_json = result.json"));
  CHECK_THAT(ran.err, has_text("--shared-folder"));
  CHECK_FALSE(std::filesystem::exists(folder / "race.db"));
  const auto checked = run_retrial(folder, {"check", "--command", "sh race.sh {seed} 0", "--read-json", "result.json",
                                            "--read", "acc", "--higher", "--jobs", "4"});
  CHECK(checked.code == 2);
  CHECK_THAT(checked.err, has_text("command.read_json = result.json"));
}

TEST_CASE("every trial reads its own result, in its own folder or in a shared one by turns") {
  const Folder folder;
  write_file(folder / "race.sh", race);
  write_file(folder / "aware.sh", "cd $TRIAL_OUT\n" + race);
  const std::map<std::string, std::vector<std::string>> ways{{"race.sh", {"--copy", "race.sh", "--jobs", "4"}},
                                                             {"aware.sh", {"--jobs", "4"}},
                                                             {"./race.sh", {"--shared-folder"}},
                                                             {"././race.sh", {"--jobs", "1"}}};
  int number = 0;
  for (const auto& [script, more] : ways) {
    CAPTURE(script);
    const auto store = std::to_string(number++) + ".db";
    const auto ran = run_retrial(folder, race_line(script, store, more));
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    check_scores(folder, store);
  }
  const auto two = run_retrial(folder, race_line("race.sh", "two.db", {"--shared-folder", "--jobs", "2"}));
  CHECK(two.code == 2);
  CHECK_THAT(two.err, has_text("one at a time"));
}

TEST_CASE("a script that mentions its folder and writes elsewhere fails its trials instead of mixing them") {
  const Folder folder;
  write_file(folder / "race.sh", "# not used: TRIAL_OUT\n" + race);
  const auto ran = run_retrial(folder, race_line("race.sh", "race.db", {"--jobs", "4"}));
  CHECK(ran.code == 5);
  CHECK_THAT(run_retrial(folder, {"show", "race.db", "a/0"}).out, has_text("share it"));
}

TEST_CASE("two launches on one shared folder take turns") {
  const Folder folder;
  write_file(folder / "race.sh", race);
  Program first(folder, race_line("race.sh", "first.db", {"--shared-folder"}));
  Program second(folder, race_line("race.sh", "second.db", {"--shared-folder"}));
  CHECK(first.wait().code == 0);
  CHECK(second.wait().code == 0);
  check_scores(folder, "first.db");
  check_scores(folder, "second.db");
}

TEST_CASE("a command without a seed is refused with the line to add") {
  const Folder folder;
  const auto ran =
      run_retrial(folder, {"run", "--command", "echo accuracy = 1", "--read", "accuracy", "--higher", "--pairs", "2"});
  CHECK(ran.code == 2);
  CHECK_THAT(ran.err, has_text("{seed}"));
  CHECK(std::filesystem::is_empty(folder.path));
}

TEST_CASE("two commands without a direction are refused, a single checked command is not") {
  const Folder folder;
  const auto ran = run_retrial(folder, {"run", "--command", "echo error = {seed}", "--command", "echo error = 1{seed}",
                                        "--read", "error", "--pairs", "2"});
  CHECK(ran.code == 2);
  CHECK_THAT(ran.err, has_text("--higher or --lower"));
}

TEST_CASE("a dry run of commands prints every argv and starts none") {
  const Folder folder;
  const auto ran = run_retrial(folder, {"run", "--command", "touch 'a b' {seed}", "--command", "touch c {seed}",
                                        "--read", "x", "--lower", "--pairs", "1", "--seed", "42", "--dry-run"});
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.out, has_text("touch 'a b' "));
  CHECK(std::filesystem::is_empty(folder.path));
}

TEST_CASE("the study of the README keeps its digest whatever keys are added") {
  // The digests of the README's transcript: today's, and the one from before the default of gamma went.
  const Folder folder;
  std::filesystem::create_directory_symlink(examples, folder.path / "examples");
  const auto line = [](const std::string& name, const std::string& rate) {
    return name + "=python3 examples/python/train.py --lr " + rate + " --seed {seed}";
  };
  std::vector<std::string> words{"plan",   "--command", line("a", "0.1"), "--command", line("b", "0.5"),
                                 "--read", "accuracy",  "--higher",       "--pairs",   "20",
                                 "--seed", "7",         "--json"};
  CHECK(field(run_retrial(folder, words).out, "study_digest").starts_with("21fe8c709fea"));
  words.insert(words.end(), {"--gamma", "0.75"});
  CHECK(field(run_retrial(folder, words).out, "study_digest").starts_with("432b5296e89b"));
}

TEST_CASE("a program that ignores its seed, and one that draws without it, are distinguished from a sound one") {
  const Folder folder;
  const auto sound = run_retrial(
      folder, {"check", "--command", train("0.1"), "--read", "accuracy", "--higher", "--seeds", "3", "--repeats", "2"});
  INFO(sound.out << sound.err);
  CHECK(sound.code == 0);
  const auto deaf = run_retrial(
      folder, {"check", "--command", "echo accuracy = 0.5 # {seed}", "--read", "accuracy", "--higher", "--json"});
  INFO(deaf.out << deaf.err);
  CHECK(deaf.code == 1);
  CHECK(field(deaf.out, "variants.0.findings.0.kind") == "dead-source");
  const auto unseeded = run_retrial(folder, {"check", "--command", "sh -c 'echo accuracy = $$ # {seed}'", "--read",
                                             "accuracy", "--higher", "--json"});
  INFO(unseeded.out << unseeded.err);
  CHECK(unseeded.code == 1);
  CHECK(field(unseeded.out, "variants.0.findings.0.kind") == "not-reproducible");
}

TEST_CASE("a changed script is another program: the study is refused and the old results are kept") {
  const Folder folder;
  write_file(folder / "p.sh", "echo score: $1\n");
  const std::vector<std::string> line{"run",    "--command", "a=sh p.sh {seed}", "--command", "b=sh p.sh {seed:other}",
                                      "--read", "score",     "--lower",          "--pairs",   "2",
                                      "--seed", "9"};
  REQUIRE(run_retrial(folder, line).code == 0);
  write_file(folder / "p.sh", "echo score: $1 $1\n");
  const auto ran = run_retrial(folder, line);
  CHECK(ran.code == 4);
  // The digests are those of sha256sum.
  CHECK_THAT(ran.err, has_text("p.sh changed (sha256 2f31fae94785 -> "));
  CHECK(run_retrial(folder, {"verify", "command.db"}).code == 0);
}

namespace {

/// Runs six trials, one at a time, of a script that runs `edit` while it is in pair 1.
Ran edited_run(const Folder& folder, const std::string& edit) {
  write_file(folder / "p.sh", "[ $2 = 1 ] && " + edit + "\necho score: $1\n");
  write_file(folder / "other.sh", "echo score: $1\n");
  return run_retrial(folder, {"run", "--command", "a=sh p.sh {seed} {pair}", "--command", "b=sh other.sh {seed:other}",
                              "--read", "score", "--lower", "--pairs", "3", "--seed", "9", "--jobs", "1"});
}

}  // namespace

TEST_CASE("a script that is edited while its study runs fails the trial, ends the run and is named") {
  const Folder folder;
  const auto ran = edited_run(folder, "echo '# edited' >> p.sh");
  INFO(ran.err);
  CHECK(ran.code == 4);
  CHECK_THAT(ran.err, has_text("p.sh changed (sha256 "));
  CHECK_THAT(ran.err, has_text("--retry-failed"));
  const auto status = run_retrial(folder, {"status", "command.db", "--json"});
  CHECK(field(status.out, "total.failed") == "1");
  CHECK_THAT(run_retrial(folder, {"show", "command.db"}).out, has_text("program.changed: p.sh changed"));
  CHECK(run_retrial(folder, {"verify", "command.db", "--full"}).code == 0);
}

TEST_CASE("a script that is touched, or written again with the same bytes, is the same program") {
  const Folder folder;
  CHECK(edited_run(folder, "cp p.sh q.sh && mv q.sh p.sh && touch p.sh").code == 0);
}

TEST_CASE("a check of a script that is edited meanwhile ends, too") {
  const Folder folder;
  write_file(folder / "p.sh", "echo '# edited' >> p.sh; echo score: $1\n");
  const auto ran = run_retrial(folder, {"check", "--command", "sh p.sh {seed}", "--read", "score", "--lower"});
  CHECK(ran.code == 4);
  CHECK_THAT(ran.err, has_text("p.sh changed (sha256 "));
}

TEST_CASE("a program of which no file is named is mentioned once, with the option that names one") {
  const Folder folder;
  std::filesystem::create_directory(folder.path / "sub");
  write_file(folder / "sub/t.sh", "echo score: $1\n");
  const std::vector<std::string> line{"run",
                                      "--command",
                                      "a=cd sub && sh t.sh {seed}",
                                      "--command",
                                      "b=cd sub && bash t.sh {seed:other}",
                                      "--shell",
                                      "--read",
                                      "score",
                                      "--lower",
                                      "--pairs",
                                      "2",
                                      "--seed",
                                      "9"};
  const auto ran = run_retrial(folder, line);
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.err, has_text("a: no word of its command but sh is a file"));
  auto named = line;
  named.insert(named.end(), {"--input", "sub/t.sh"});
  CHECK_THAT(run_retrial(folder, named).err, !has_text("is a file"));
}

TEST_CASE("a program that fails costs its trial and the reason is shown") {
  const Folder folder;
  const auto ran = run_retrial(folder, {"run", "--command", "sh -c 'echo going; exit $(({seed} % 2 * 3))'", "--read",
                                        "score", "--lower", "--pairs", "6", "--seed", "9", "--keep-going"});
  CHECK(ran.code == 5);
  const auto shown = run_retrial(folder, {"show", "command.db"});
  INFO(shown.out);
  CHECK_THAT(shown.out, has_text("command.exit"));
  CHECK_THAT(shown.out, has_text("command.no_metric"));
}

TEST_CASE("the study file of the examples runs unchanged") {
  const Folder folder;
  std::filesystem::create_directory_symlink(examples, folder.path / "examples");
  const auto ran = run_retrial(
      folder, {"run", std::string(RETRIAL_SOURCE_DIR) + "/studies/own-script.toml", "--pairs", "2", "--db", "own.db"});
  INFO(ran.err);
  CHECK(ran.code == 0);
}

}  // namespace retrial::tests::own_program_tests
