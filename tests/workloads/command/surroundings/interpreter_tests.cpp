#include "workloads/command/surroundings/interpreter.hpp"

#include <sys/stat.h>

#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/command/process/process.hpp"

namespace retrial::tests::interpreter_tests {

using namespace retrial;
using namespace retrial::workloads::command;

namespace {

std::filesystem::path program(const test::Folder& folder, const std::string& name, const std::string& text) {
  folder.write(name, text);
  const auto file = folder.path() / name;
  ::chmod(file.c_str(), 0755);
  return file;
}

/// A stand-in for a Python: prints noise and then an answer in the form of the question.
std::string answering(const std::string& json) {
  return "#!/bin/sh\necho 'noise of a sitecustomize'\nprintf '\\n@%s\\n' '" + json + "'\n";
}

}  // namespace

TEST_CASE("the interpreter is argv[0], the program behind env, or what the first line of a script names") {
  const test::Folder folder;
  const auto tool = program(folder, "tool",
                            "\x7f"
                            "ELF");
  CHECK(interpreter_of({"./tool", "x"}, folder.path()) == folder.path() / "./tool");
  CHECK(interpreter_of({"env", "A=1", "./tool"}, folder.path()) == folder.path() / "./tool");
  (void)program(folder, "run.py", "#!" + tool.string() + " -u\nprint(1)\n");
  CHECK(interpreter_of({"./run.py"}, folder.path()) == tool);
  (void)program(folder, "run.sh", "#!/usr/bin/env sh\n");
  CHECK(interpreter_of({"./run.sh"}, folder.path()).value().filename() == "sh");
  (void)program(folder, "python3", "#!/usr/bin/env sh\n");
  CHECK(interpreter_of({"./python3", "x.py"}, folder.path()).value().filename() == "python3");
  CHECK_FALSE(interpreter_of({"./none"}, folder.path()));
  CHECK_FALSE(interpreter_of({}, folder.path()));
}

TEST_CASE("a Python tells version, packages and path in one answer, whatever else it prints") {
  const test::Folder folder;
  const auto file = program(folder, "python3",
                            answering(R"j({"version": "3.9.1 (x)", "executable": "/x/python3.9", "conda": null,)j"
                                      R"j( "packages": {"numpy": "1.24.2"}, "tag": "cpython-39",)j"
                                      R"j( "path": ["/opt/own"], "modules": ["/opt/own/m.py"]})j"));
  const auto& found = interpreter_at(file, folder.path(), {});
  CHECK(found.facts.at("version") == "3.9.1 (x)");
  CHECK(found.facts.at("file") == file.string());
  CHECK(found.packages == Json{{"numpy", "1.24.2"}});
  CHECK(found.conda.is_null());
  CHECK(found.bytecode_tag == "cpython-39");
  CHECK(found.own_folders == std::vector<std::filesystem::path>{"/opt/own"});
  CHECK(found.packages_note.empty());
  CHECK(found.facts.at("real_file") == "/x/python3.9");
  CHECK(found.modules == std::vector<std::filesystem::path>{"/opt/own/m.py"});
}

TEST_CASE("an interpreter that fails or talks nonsense costs its facts, and the reason is kept") {
  const test::Folder folder;
  CHECK(interpreter_at(program(folder, "a/python3", "#!/bin/sh\necho broken; exit 3\n"), folder.path(), {})
            .packages_note == "it did not tell its packages: it ended with 3: broken");
  CHECK(interpreter_at(program(folder, "b/python3", "#!/bin/sh\necho hello\n"), folder.path(), {}).packages_note ==
        "it did not tell its packages: no answer");
  CHECK(interpreter_at(program(folder, "c/python3", answering("{\"version\": 1}")), folder.path(), {})
            .packages_note.starts_with("it did not tell its packages: "));
  // A program of the user is never started to ask for its version.
  const auto own = program(folder, "train", "#!/bin/sh\ntouch " + (folder.path() / "started").string() + "\n");
  CHECK(interpreter_at(own, folder.path(), {}).packages_note == "train is not asked for packages");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "started"));
}

TEST_CASE("the modules of a script are those in its import statements and theirs, wherever they stand",
          "[needs-python]") {
  const auto python = program_file("python3", {});
  if (!python) {
    WARN("left out: no python3 in PATH");
    return;
  }
  const test::Folder folder;
  folder.write("t.py", "import sys, helper\nfrom pkg.a import f\ndef g():\n    import lazy\n");
  folder.write("pkg/__init__.py", "");
  folder.write("pkg/a.py", "from . import b\nfrom ..nothing import x\nimport json\n");
  for (const char* name : {"helper.py", "lazy.py", "pkg/b.py", "plot.py", "pkg/c.py"}) folder.write(name, "");
  const auto modules_of = [&](const Script& script) {
    std::vector<std::string> names;
    for (const auto& module : interpreter_at(*python, folder.path(), script).modules)
      names.push_back(module.lexically_relative(folder.path()).string());
    return names;
  };
  const std::vector<std::string> package{"pkg/__init__.py", "pkg/a.py", "pkg/b.py"};
  auto all = package;
  all.insert(all.begin(), {"helper.py", "lazy.py"});
  CHECK(modules_of({.file = folder.path() / "t.py", .folder = folder.path(), .module = {}}) == all);
  CHECK(modules_of({.file = {}, .folder = folder.path(), .module = "pkg.a"}) == package);
  CHECK(modules_of({.file = {}, .folder = folder.path(), .module = {}}).empty());
}

}  // namespace retrial::tests::interpreter_tests
