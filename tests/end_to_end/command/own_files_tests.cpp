// The files that a program of the user read, named on its command line or opened by a name of its own: edits are
// noticed.
#include "tests/catch.hpp"
#include "tests/end_to_end/command/own_script.hpp"
#include "tests/end_to_end/command/own_surroundings.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::own_files_tests {

namespace {

/// A study whose variants name a file each by a key of their own, at `place` of the command: it prints what the file
/// has.
Words line_with_config(const Folder& folder, const std::string& place) {
  write_file(folder / "p.sh", "f=${2#*=}; test $# = 2 || f=$3; echo acc=$(($(cat $f) + $1 % 1000))\n");
  write_file(folder / "a.cfg", "1\n");
  write_file(folder / "b.cfg", "2000\n");
  write_file(folder / "s.toml", R"(schema = 1
name = "s"
workload = "command"
seed = 3
pairs = 3
[set]
read = "acc"
direction = "higher"
command = "sh p.sh {seed} )" + place +
                                    R"("
[variant.a]
cfg = "a.cfg"
[variant.b]
cfg = "b.cfg"
)");
  return {"run", "s.toml", "--jobs", "1"};
}

}  // namespace

TEST_CASE("an edited file that a key of the user's own names is another program, as a word or inside of one") {
  for (const std::string place : {"--cfg {cfg}", "--cfg={cfg}"}) {
    const Folder folder;
    const auto line = line_with_config(folder, place);
    const auto first = run_retrial(folder, line);
    INFO(place << "\n" << first.err);
    REQUIRE(first.code == 0);
    CHECK(run_retrial(folder, line).code == 0);
    write_file(folder / "b.cfg", "3000\n");
    const auto edited = run_retrial(folder, line);
    CHECK(edited.code == 4);
    CHECK_THAT(edited.err, has_text("b.cfg changed (sha256 "));
    CHECK_THAT(edited.err, !has_text("a.cfg"));
  }
}

TEST_CASE("a file inside of a word is in the manifest of its variant alone, and an edit while the study runs ends it") {
  const Folder folder;
  const auto line = line_with_config(folder, "--cfg={cfg}");
  REQUIRE(run_retrial(folder, line).code == 0);
  const auto files = manifest_of(folder, "b/1").at("program").at("option_files");
  CHECK(files.size() == 1);
  // What `sha256sum` prints for "2000\n".
  CHECK(files.at("b.cfg") == "1d8fa3c8ab49d50b30fccbbd901735d5896a5d7959a5ad7ccecb79c1c849cc66");
  std::filesystem::remove(folder.path / "s.db");
  write_file(folder / "p.sh", "echo 5 >> b.cfg; echo acc=$1\n");
  const auto ran = run_retrial(folder, line);
  CHECK(ran.code == 4);
  CHECK_THAT(ran.err, has_text("b.cfg changed (sha256 "));
}

namespace {

/// Two variants of a shell script that reads a file by a name of its own, which is in no word of the command line.
Words line_with_hidden_file(const Folder& folder, const std::string& script, const std::string& pairs = "4") {
  write_file(folder / "p.sh", "f=conf/base; . ./$f.cfg; " + script + "\necho acc=$(($1 % 1000 * k + $3))\n");
  std::filesystem::create_directory(folder.path / "conf");
  write_file(folder / "conf/base.cfg", "k=1\n");
  return {"run",
          "--command",
          "a=sh p.sh {seed} {pair} 0",
          "--command",
          "b=sh p.sh {seed} {pair} 1",
          "--read",
          "acc",
          "--higher",
          "--pairs",
          pairs,
          "--seed",
          "9",
          "--db",
          "s.db",
          "--jobs",
          "1"};
}

}  // namespace

TEST_CASE("a file that the program opens by a name of its own, edited while the study runs, ends it and is named") {
  for (const std::string pair : {"1", "2"}) {
    CAPTURE(pair);
    const Folder folder;
    const auto ran = run_retrial(
        folder, line_with_hidden_file(folder, "[ $2 != " + pair + " ] || [ $3 = 1 ] || echo k=3 > conf/base.cfg"));
    INFO(ran.err);
    CHECK(ran.code == 4);
    // What `sha256sum` prints for "k=1\n" and "k=3\n".
    CHECK_THAT(ran.err, has_text("conf/base.cfg changed (sha256 218261087019 -> "));
    CHECK_THAT(run_retrial(folder, {"status", "s.db"}).out, has_text("program.changed: conf/base.cfg changed"));
  }
}

TEST_CASE("a file edited during the only trial before a run is interrupted is named, then and when the study goes on") {
  for (const bool own_result : {false, true}) {
    CAPTURE(own_result);
    const Folder folder;
    // The first trial asks the front end, its grandparent, to end; `conf/base.cfg` is edited or rewritten meanwhile.
    const std::string change =
        own_result ? "echo k=1 \"#$1\" > conf/base.cfg" : "[ $2$3 != 00 ] || echo k=2 > conf/base.cfg";
    const auto line = line_with_hidden_file(
        folder, "if [ ! -e asked ]; then touch asked; kill -TERM $(cut -d ' ' -f 4 /proc/$PPID/stat); sleep 0.5; fi; " +
                    change);
    const auto ran = run_retrial(folder, line);
    INFO(ran.err);
    CHECK(ran.code == 4);
    // What `sha256sum` prints for "k=1\n".
    CHECK_THAT(ran.err, has_text("conf/base.cfg changed (sha256 218261087019 -> "));
    CHECK_THAT(run_retrial(folder, {"status", "s.db"}).out, has_text("1 of 8"));
    const auto resumed = run_retrial(folder, line);
    INFO(resumed.err);
    CHECK(resumed.code == (own_result ? 0 : 4));
    if (own_result) continue;
    CHECK_THAT(resumed.err, has_text("conf/base.cfg changed (sha256 218261087019 -> "));
    write_file(folder / "conf/base.cfg", "k=1\n");
    auto again = line;
    again.emplace_back("--retry-failed");
    const auto restored = run_retrial(folder, again);
    INFO(restored.err);
    // Trials of the other variant have read the edited file: the store holds results of both.
    CHECK(restored.code == 4);
    CHECK_THAT(restored.err, has_text("started with other files: conf/base.cfg changed"));
  }
}

TEST_CASE("a study goes on with the files that its trials read, and with no others; a replay needs the same") {
  const Folder folder;
  const auto line = line_with_hidden_file(folder, "");
  REQUIRE(run_retrial(folder, line).code == 0);
  CHECK(manifest_of(folder, "b/3").at("program").at("read_files").contains("conf/base.cfg"));
  CHECK(run_retrial(folder, line).code == 0);
  CHECK(run_retrial(folder, {"replay", "s.db", "a/0", "--allow-commands"}).code == 0);
  write_file(folder / "conf/base.cfg", "k=2\n");
  const auto again = run_retrial(folder, line);
  CHECK(again.code == 4);
  CHECK_THAT(again.err, has_text("started with other files: conf/base.cfg changed"));
  const auto replayed = run_retrial(folder, {"replay", "s.db", "a/0", "--allow-commands"});
  CHECK(replayed.code == 4);
  CHECK_THAT(replayed.err, has_text("conf/base.cfg changed"));
  CHECK(run_retrial(folder, {"replay", "s.db", "a/0", "--allow-commands", "--any-program"}).code == 1);
}

TEST_CASE("what only one trial has opened, and what the program itself rewrites, may change") {
  for (const std::string script :
       {"[ $2 != 1 ] || cat notes > /dev/null; [ $2 != 2 ] || echo $2 > notes",
        "n=$(cat count); echo $((n + 1)) > count", "echo $1 >> log; tail -n 1 log > /dev/null",
        "echo $1 > new-$1-$3; cat new-$1-$3 > /dev/null"}) {
    CAPTURE(script);
    const Folder folder;
    const auto line = line_with_hidden_file(folder, script);
    write_file(folder / "notes", "x\n");
    write_file(folder / "count", "0\n");
    const auto ran = run_retrial(folder, line);
    INFO(ran.err);
    CHECK(ran.code == 0);
    const auto files = manifest_of(folder, "b/3").at("program").at("read_files");
    CHECK(files.size() == 1);
    CHECK(run_retrial(folder, line).code == 0);
  }
}

TEST_CASE("trials that read different bytes of a file make a comparison INVALID, if all of a variant read it") {
  const Folder folder;
  REQUIRE(run_retrial(folder, line_with_hidden_file(folder, "", "3")).code == 0);
  const results::Store from(folder.path / "s.db", results::Store::Access::read);
  for (const bool all : {true, false}) {
    CAPTURE(all);
    const std::string name = all ? "all.db" : "some.db";
    results::Store to(folder.path / name, results::Store::Access::write);
    put_same_study(from, to);
    for (const auto& row : from.trials()) {
      auto record = from.record(row.id);
      auto& files = record.manifest["program"]["read_files"];
      if (!all && row.id <= 2) files.clear();
      if (row.id == 6) files["conf/base.cfg"] = std::string(64, 'a');
      to.append(record);
    }
    const auto judged = run_retrial(folder, {"compare", name, "--json"});
    CHECK((field(judged.out, "reason") == "program-changed") == all);
  }
}

}  // namespace retrial::tests::own_files_tests
