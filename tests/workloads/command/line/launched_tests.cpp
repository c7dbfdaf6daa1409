#include "workloads/command/line/launched.hpp"

#include <fstream>

#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"

namespace retrial::tests::launched_tests {

using namespace retrial::workloads::command;
using retrial::test::Folder;
using Line = std::vector<std::string>;

namespace {

const Line emulator{"/usr/bin/qemu-x86_64", "-cpu", "Haswell"};

Line behind_emulator(const Line& words) {
  Line out = emulator;
  out.insert(out.end(), words.begin(), words.end());
  return out;
}

std::string script(const Folder& folder, const std::string& name, const std::string& text) {
  const auto file = folder.path() / name;
  std::ofstream(file) << text;
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file.string();
}

}  // namespace

TEST_CASE("without a launcher a command line is left as it is") {
  CHECK(launched({}, {"env", "A=1", "sh"}, "").argv == Line{"env", "A=1", "sh"});
}

TEST_CASE("machine code is started by its path, arguments follow") {
  CHECK(launched(emulator, {"/bin/sh", "-c", "exit 3"}, "").argv == behind_emulator({"/bin/sh", "-c", "exit 3"}));
  const auto found = launched(emulator, {"sh"}, "").argv;
  REQUIRE(found.size() == 4);
  CHECK(std::filesystem::path(found[3]).is_absolute());
  CHECK(std::filesystem::path(found[3]).filename() == "sh");
}

TEST_CASE("of a script the interpreter is started, or it would run beside the launcher") {
  const Folder folder;
  const auto plain = script(folder, "a", "#!/bin/sh\n"), option = script(folder, "b", "#! /bin/sh -e -u\n"),
             none = script(folder, "c", "echo 1\n"), outer = script(folder, "d", "#!" + plain + " x\n");
  CHECK(launched(emulator, {plain, "1"}, "").argv == behind_emulator({"/bin/sh", plain, "1"}));
  // execve(2): the words behind the interpreter are one argument.
  CHECK(launched(emulator, {option}, "").argv == behind_emulator({"/bin/sh", "-e -u", option}));
  CHECK(launched(emulator, {none}, "").argv == behind_emulator({"/bin/sh", none}));
  CHECK(launched(emulator, {outer, "1"}, "").argv == behind_emulator({"/bin/sh", plain, "x", outer, "1"}));
  CHECK(launched(emulator, {"./a"}, folder.path()).argv ==
        behind_emulator({"/bin/sh", (folder.path() / "./a").string()}));
}

TEST_CASE("env gives way to the program that it would become, and its assignments are kept") {
  const Folder folder;
  const auto line = launched(emulator, {"env", "A=1", "B=x y", "/bin/sh", "s"}, "");
  CHECK(line.argv == behind_emulator({"/bin/sh", "s"}));
  CHECK(line.assignments == Line{"A=1", "B=x y"});
  const auto by_name = script(folder, "e", "#!/usr/bin/env sh\n"),
             split = script(folder, "f", "#!/usr/bin/env -S A=2 sh -e\n");
  const auto sh = launched(emulator, {"sh"}, "").argv.back();
  CHECK(launched(emulator, {by_name}, "").argv == behind_emulator({sh, by_name}));
  CHECK(launched(emulator, {split}, "").argv == behind_emulator({sh, "-e", split}));
  CHECK(launched(emulator, {split}, "").assignments == Line{"A=2"});
  // What its options do is for env to know: it is started itself.
  const auto kept = launched(emulator, {"env", "-i", "sh"}, "").argv;
  REQUIRE(kept.size() == 6);
  CHECK(std::filesystem::path(kept[3]).filename() == "env");
}

TEST_CASE("a program that does not exist, and scripts without an end, are left to the start to refuse") {
  const Folder folder;
  CHECK(launched(emulator, {"no-such-program"}, "").argv == Line{"no-such-program"});
  const auto self = script(folder, "self", "#!" + (folder.path() / "self").string() + "\n");
  CHECK(launched(emulator, {self}, "").argv == Line{self});
}

TEST_CASE("an assignment replaces what is there") {
  CHECK(assigned({"A=0", "AB=1", "A=2"}, {"A=3", "C=x=y"}) == Line{"AB=1", "A=3", "C=x=y"});
}

}  // namespace retrial::tests::launched_tests
