// Networks from files through both programs: consent, identity, replay.
#include <cstdlib>
#include <fstream>

#include "results/digest/sha256.hpp"
#include "results/store/store.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::script_torch_tests {

using retrial::results::Store;
using Folder = retrial::tests::FullFolder;
using Words = std::vector<std::string>;

namespace {

void write_script(const std::string& file, const std::string& kind, const std::string& scale = "1") {
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  REQUIRE(std::system((RETRIAL_BINARY_DIR "/bin/script_file " + file + " " + kind + " " + scale).c_str()) == 0);
}

Words both(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Two pairs of one epoch with a student from a file, into a store of this name.
Ran run_student(const Folder& folder, const std::string& script, const std::string& db, const Words& more = {}) {
  return run_retrial(folder, both({"run", "distillation", "--pairs", "2", "--seed", "3", "--db", db, "--set",
                                   "epochs=2", "--set", "teacher_epochs=2", "--set", "teacher=mlp:8", "--set",
                                   "train_count=64", "--set", "student=script:" + script},
                                  more));
}

std::vector<std::string> identities(const std::filesystem::path& file) {
  const Store store(file, Store::Access::read);
  std::vector<std::string> found;
  for (const auto& entry : store.plan(store.studies().front().digest)) found.push_back(results::hex(entry.identity));
  return found;
}

}  // namespace

TEST_CASE("a student from a file runs with consent, and its trials replay with consent and the file") {
  const Folder folder;
  write_script(folder / "net.pt", "plain");
  const auto refused = run_student(folder, "net.pt", "s.db");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, has_text(results::hex(results::sha256_file(folder / "net.pt"))));
  CHECK_FALSE(std::filesystem::exists(folder / "s.db"));
  const auto ran = run_student(folder, "net.pt", "s.db", {"--allow-scripts"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  CHECK_THAT(ran.err, has_text("the source init does not reach it"));

  const auto unasked = run_retrial(folder, {"replay", "s.db", "kd/1", "--set", "student=script:net.pt"});
  CHECK(unasked.code == 2);
  CHECK_THAT(unasked.err, has_text("--allow-scripts: is not given, and the student of the trial is a program"));
  CHECK(run_retrial(folder, {"replay", "s.db", "kd/1", "--allow-scripts"}).code == 4);
  write_script(folder / "other.pt", "plain", "2");
  CHECK(run_retrial(folder, {"replay", "s.db", "kd/1", "--allow-scripts", "--set", "student=script:other.pt"}).code ==
        6);
  const auto again =
      run_retrial(folder, {"replay", "s.db", "kd/1", "--allow-scripts", "--set", "student=script:net.pt"});
  INFO(again.err);
  CHECK(again.code == 0);
  const auto page = run_retrial(folder, {"show", "s.db", "kd/1"});
  CHECK_THAT(page.out, has_text("retrial replay s.db kd/1 --allow-scripts --set student=script:FILE"));
  const std::string report = run_retrial(folder, {"report", "s.db", "--format", "txt"}).out;
  CHECK_THAT(report, has_text("retrial replay s.db kd/0 --allow-scripts --set student=script:FILE"));
  CHECK_THAT(report, has_text("retrial run distillation.toml --allow-scripts --db again.db"));
}

TEST_CASE("the bytes of a script are its identity, whatever its path") {
  const Folder folder;
  write_script(folder / "net.pt", "plain");
  write_script(folder / "nets/copy.pt", "plain");
  std::filesystem::copy_file(folder / "net.pt", folder / "nets/copy.pt",
                             std::filesystem::copy_options::overwrite_existing);
  write_script(folder / "other.pt", "plain", "2");
  for (const auto& [script, db] : std::vector<std::pair<std::string, std::string>>{
           {"net.pt", "a.db"}, {"nets/copy.pt", "b.db"}, {"other.pt", "c.db"}}) {
    const auto ran = run_student(folder, script, db, {"--allow-scripts"});
    INFO(ran.err);
    REQUIRE(ran.code == 0);
  }
  CHECK(identities(folder / "a.db") == identities(folder / "b.db"));
  CHECK(identities(folder / "a.db") != identities(folder / "c.db"));
  const Store a(folder / "a.db", Store::Access::read), b(folder / "b.db", Store::Access::read);
  CHECK(results::hex(a.info().outcome_digest) == results::hex(b.info().outcome_digest));
}

TEST_CASE("a script that draws random numbers fails its trials with the reason") {
  const Folder folder;
  write_script(folder / "net.pt", "dropout");
  const auto ran = run_student(folder, "net.pt", "s.db", {"--allow-scripts"});
  CHECK(ran.code == 5);
  CHECK_THAT(ran.err, has_text("script.draws: net.pt (SHA-256 "));
}

TEST_CASE("a file that is no network fails its trials with one line, and no worker crashes") {
  const Folder folder;
  std::ofstream(folder / "net.pt") << "PK not a network";
  const auto ran = run_student(folder, "net.pt", "s.db", {"--allow-scripts"});
  CHECK(ran.code == 5);
  CHECK_THAT(ran.err, has_text("script.not_torchscript: net.pt (SHA-256 "));
}

TEST_CASE("trials with a script repeat themselves, and every key they read changes something") {
  const Folder folder;
  write_script(folder / "net.pt", "plain");
  const Words study{"check",         "distillation", "--allow-scripts", "--set",          "student=script:net.pt",
                    "--set",         "epochs=2",     "--set",           "train_count=64", "--set",
                    "teacher=mlp:8", "--set",        "teacher_epochs=1"};
  const auto repeats = run_retrial(folder, both(study, {"--seeds", "2", "--repeats", "2", "--variant", "kd"}));
  INFO(repeats.out << repeats.err);
  CHECK(repeats.code == 0);
  const auto liveness = run_retrial(folder, both(study, {"--liveness", "--variant", "kd"}));
  INFO(liveness.out << liveness.err);
  CHECK(liveness.code == 0);
}

TEST_CASE("a network from a file is pruned") {
  const Folder folder;
  write_script(folder / "net.pt", "plain");
  const auto ran = run_retrial(folder, {"run", "pruning", "--pairs", "2", "--seed", "1", "--db", "p.db", "--set",
                                        "epochs=1", "--set", "grid=.5", "--set", "corruptions=none", "--set",
                                        "train_count=64", "--set", "model=script:net.pt", "--allow-scripts"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  CHECK(run_retrial(folder, {"report", "p.db", "-o", "p.html"}).code == 0);
  CHECK(run_retrial(folder, {"replay", "p.db", "wt/1", "--allow-scripts", "--set", "model=script:net.pt"}).code == 0);
}

}  // namespace retrial::tests::script_torch_tests
