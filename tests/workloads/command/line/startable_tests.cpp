// What a command names is looked for before its first run.
#include "workloads/command/line/startable.hpp"

#include <fstream>

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"

namespace retrial::tests::startable_tests {

using retrial::test::Folder;
using retrial::workloads::command::demand_startable;

namespace {

Values command(const std::string& text, const std::filesystem::path& workdir, bool shell = false) {
  return {{"command", text},
          {"prepare", std::string()},
          {"count", std::string()},
          {"workdir", workdir.string()},
          {"shell", shell}};
}

/// The parts of the refusal; the code is empty when there is none.
ErrorText refusal_of(const Values& values) {
  try {
    demand_startable(values);
  } catch (const Error& error) {
    return error.text;
  }
  return {};
}

}  // namespace

TEST_CASE("a program that is not in PATH is refused with its nearest name") {
  const Folder folder;
  const auto refusal = refusal_of(command("shh x {seed}", folder.path()));
  CHECK(refusal.exit == Exit::usage);
  CHECK(refusal.field == "command.command");
  CHECK(refusal.value == "shh");
  CHECK(refusal.problem == "no such program in PATH");
  CHECK_THAT(refusal.help, has_text("did you mean "));
  CHECK(refusal_of(command("no-such-program-anywhere {seed}", folder.path())).help ==
        "install it or give its path; a program of this folder is started as ./no-such-program-anywhere");
}

TEST_CASE("a variant whose name has a blank is not taken for a program without a word") {
  const Folder folder;
  const auto refusal = refusal_of(command("a b=x {seed}", folder.path()));
  CHECK_THAT(refusal.problem, has_text("no name of a variant has a blank"));
  CHECK_THAT(refusal.help, has_text("a-b=x"));
  CHECK(refusal_of(command("env b=x true", folder.path())).code.empty());
}

TEST_CASE("a program given by its path must be an executable file") {
  const Folder folder;
  std::ofstream(folder.path() / "train") << "echo 1\n";
  CHECK(refusal_of(command("./train {seed}", folder.path())).problem == "is not executable");
  std::filesystem::permissions(folder.path() / "train", std::filesystem::perms::owner_all);
  CHECK(refusal_of(command("./train {seed}", folder.path())).code.empty());
  CHECK(refusal_of(command("./trian {seed}", folder.path())).help == "did you mean ./train?");
  std::filesystem::create_directory(folder.path() / "d");
  CHECK_THAT(refusal_of(command("./d {seed}", folder.path())).problem, has_text("is a folder"));
}

TEST_CASE("a folder that does not exist, or is a file, is refused") {
  const Folder folder;
  CHECK(refusal_of(command("sh -c true", folder.path() / "none")).problem == "no such folder");
  std::ofstream(folder.path() / "file") << "";
  CHECK(refusal_of(command("sh -c true", folder.path() / "file")).problem == "is not a folder");
  CHECK(refusal_of(command("nothing here", folder.path() / "none", true)).field == "command.workdir");
}

TEST_CASE("a missing script of an interpreter is refused with its nearest name, options before it skipped") {
  const Folder folder;
  std::ofstream(folder.path() / "train.sh") << "";
  for (const std::string line : {"sh trian.sh --seed {seed}", "/bin/sh -e trian.sh {seed}", "sh -o nounset trian.sh"}) {
    const auto refusal = refusal_of(command(line, folder.path()));
    INFO(line);
    CHECK(refusal.value == "trian.sh");
    CHECK(refusal.problem == "no such file in " + folder.path().string());
    CHECK(refusal.help == "did you mean train.sh?");
  }
  CHECK(refusal_of(command("sh train.sh {seed}", folder.path())).code.empty());
}

TEST_CASE("what only looks like a script is left alone") {
  const Folder folder;
  std::ofstream(folder.path() / "train") << "";
  for (const std::string line :
       {"sh -c 'sh none.sh' {seed}", "sh {out}/made.sh {seed}", "sh train none.sh", "sh -u train none.sh",
        "env sh none.sh {seed}", "echo none.sh {seed}", "sh made-{seed}.sh"}) {
    INFO(line);
    CHECK(refusal_of(command(line, folder.path())).code.empty());
  }
  CHECK(refusal_of(command("nothing.sh | tail", folder.path(), true)).code.empty());
}

}  // namespace retrial::tests::startable_tests
