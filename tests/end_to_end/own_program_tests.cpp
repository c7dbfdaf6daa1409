// Third-party programs, unchanged: two commands compared, one checked.
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::own_program_tests {

using retrial::tests::field;
using retrial::tests::Folder;
using retrial::tests::run_retrial;
using retrial::tests::write_file;

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
  CHECK(run_retrial(folder, {"replay", "command.db", "fast/3"}).code == 0);
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
  CHECK(run_retrial(folder, {"verify", "command.db"}).code == 0);
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
