// The Python, the packages and the modules that a program of the user ran with: the manifest says what they were, and
// modules that were edited are noticed.
#include <array>

#include "tests/catch.hpp"
#include "tests/end_to_end/command/own_script.hpp"
#include "tests/end_to_end/command/own_surroundings.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::own_modules_tests {

namespace {

bool has_python(const Folder& folder) {
  const auto there = std::filesystem::exists("/usr/bin/python3") || std::filesystem::exists("/usr/local/bin/python3");
  if (!there) WARN("left out: no python3 in " + folder.path.string());
  return there;
}

/// Two variants of one script that imports a module of its own; `pairs` pairs, one trial at a time.
Words line_of(const std::string& pairs, const Words& more = {}) {
  return both({"run", "--command", "a=python3 t.py {seed} {pair}", "--command", "b=python3 t.py {seed:other} {pair}",
               "--read", "acc", "--higher", "--pairs", pairs, "--seed", "9", "--jobs", "1", "--db", "s.db"},
              more);
}

void write_program(const Folder& folder,
                   const std::string& script = "import sys, helper\nprint('acc', helper.f(int(sys.argv[1])))\n") {
  write_file(folder / "helper.py", "def f(x): return x % 1000\n");
  write_file(folder / "t.py", script);
}

/// What `sha256sum` prints for "def f(x): return x % 1000\n".
const std::string helper_sha256 = "0e29593f4df18316eea0d4b60fa79a8f22092f8295a35d5b0232fb7190f5fc23";

}  // namespace

TEST_CASE("the manifest of a Python program names its Python, packages, folder, files and modules, and nothing of ours",
          "[needs-python]") {
  const Folder folder;
  if (!has_python(folder)) return;
  write_program(folder);
  const auto ran = run_retrial(folder, line_of("2"), {{"PYTHONHASHSEED", "7"}, {"MY_SECRET", "hunter2"}});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const auto manifest = manifest_of(folder, "a/0");
  const auto& program = manifest.at("program");
  CHECK(program.at("interpreter").at("file").get<std::string>().ends_with("/python3"));
  CHECK(program.at("interpreter").at("version").get<std::string>().starts_with("3."));
  CHECK(program.at("packages").is_object());
  CHECK(program.at("working_folder") == std::filesystem::canonical(folder.path).string());
  CHECK(program.at("variables").at("PYTHONHASHSEED") == "7");
  CHECK(program.at("files").contains("t.py"));
  CHECK(program.at("modules").at("helper.py") == helper_sha256);
  CHECK(manifest.at("trial").at("argv").at(1) == "t.py");
  CHECK(manifest.at("trial").at("argv").at(3) == "0");
  CHECK_FALSE(manifest.contains("libraries"));
  CHECK_FALSE(manifest.at("numeric").contains("effective"));
  const auto text = manifest.dump();
  CHECK(text.find("hunter2") == std::string::npos);
  CHECK(text.find("cpu_capability") == std::string::npos);
  CHECK(manifest.at("worker").contains("build_id"));
  // The report says the same.
  REQUIRE(run_retrial(folder, {"report", "s.db", "-o", "r.md"}).code == 0);
  const auto page = run_retrial(folder, {"report", "s.db", "--format", "txt"});
  CHECK_THAT(page.out, has_text("helper.py"));
  CHECK_THAT(page.out, has_text("interpreter"));
  CHECK_THAT(page.out, !has_text("oneDNN"));
  CHECK(run_retrial(folder, {"verify", "s.db", "--full"}).code == 0);
}

TEST_CASE("a module that is imported by a computed name shows by its byte code", "[needs-python]") {
  const Folder folder;
  if (!has_python(folder)) return;
  write_program(folder,
                "import sys, importlib\n"
                "print('acc', importlib.import_module('hel' + 'per').f(int(sys.argv[1])))\n");
  const std::map<std::string, std::string> writing{{"PYTHONDONTWRITEBYTECODE", ""}},
      silent{{"PYTHONDONTWRITEBYTECODE", "1"}};
  REQUIRE(run_retrial(folder, line_of("1"), silent).code == 0);
  auto manifest = manifest_of(folder, "a/0");
  CHECK(manifest.at("program").at("modules").empty());
  CHECK(manifest.at("program").at("imports") == "known from the import statements of the sources");
  std::filesystem::remove(folder.path / "s.db");
  REQUIRE(run_retrial(folder, line_of("1"), writing).code == 0);
  manifest = manifest_of(folder, "a/0");
  CHECK(manifest.at("program").at("modules").at("helper.py") == helper_sha256);
}

TEST_CASE("trials of one launch share one environment document", "[needs-python]") {
  const Folder folder;
  if (!has_python(folder)) return;
  write_program(folder);
  REQUIRE(run_retrial(folder, line_of("4")).code == 0);
  const auto manifests = std::array{manifest_of(folder, "a/0"), manifest_of(folder, "a/3")};
  for (const char* group : {"program", "machine", "numeric", "inputs", "worker"})
    CHECK(manifests[0].at(group) == manifests[1].at(group));
}

TEST_CASE("a module that is edited while the study runs fails the trial, ends the run and is named", "[needs-python]") {
  const Folder folder;
  if (!has_python(folder)) return;
  write_program(folder,
                "import sys, helper\n"
                "if sys.argv[2] == '2': open('helper.py', 'a').write('# edited\\n')\n"
                "print('acc', helper.f(int(sys.argv[1])))\n");
  const auto ran = run_retrial(folder, line_of("4"));
  INFO(ran.err);
  CHECK(ran.code == 4);
  CHECK_THAT(ran.err, has_text("helper.py changed (sha256 " + helper_sha256.substr(0, 12) + " -> "));
  CHECK_THAT(run_retrial(folder, {"status", "s.db"}).out, has_text("program.changed: helper.py changed"));
}

TEST_CASE("a study goes on with the modules it began with, and with no others; what is not imported does not matter",
          "[needs-python]") {
  const Folder folder;
  if (!has_python(folder)) return;
  write_program(folder,
                "import sys, os, helper\n"
                "if sys.argv[2] == '2' and not os.path.exists('go'): sys.exit(3)\n"
                "print('acc', helper.f(int(sys.argv[1])))\n");
  write_file(folder / "plot.py", "1\n");
  REQUIRE(run_retrial(folder, line_of("3", {"--retries", "1"})).code == 5);
  write_file(folder / "go", "");
  write_file(folder / "plot.py", "2\n");
  write_file(folder / "helper.py", "def f(x): return x % 1001\n");
  const auto other = run_retrial(folder, line_of("3", {"--retries", "1", "--retry-failed"}));
  CHECK(other.code == 4);
  CHECK_THAT(other.err, has_text("started with other files: helper.py changed (sha256 " + helper_sha256.substr(0, 12)));
  write_file(folder / "helper.py", "def f(x): return x % 1000\n");
  const auto same = run_retrial(folder, line_of("3", {"--retries", "1", "--retry-failed"}));
  INFO(same.err);
  CHECK(same.code == 0);
  CHECK(field(run_retrial(folder, {"compare", "s.db", "--json"}).out, "status") != "INVALID");
}

TEST_CASE("trials that imported different versions of a module make a comparison INVALID", "[needs-python]") {
  const Folder folder;
  if (!has_python(folder)) return;
  write_program(folder);
  REQUIRE(run_retrial(folder, line_of("3")).code == 0);
  CHECK(field(run_retrial(folder, {"compare", "s.db", "--json"}).out, "status") != "INVALID");
  // The same trials, of which the last ran on another machine, where the module was another.
  const results::Store from(folder.path / "s.db", results::Store::Access::read);
  results::Store to(folder.path / "edited.db", results::Store::Access::write);
  put_same_study(from, to);
  for (const auto& row : from.trials()) {
    auto record = from.record(row.id);
    if (row.id == 6) record.manifest["program"]["modules"]["helper.py"] = std::string(64, 'a');
    to.append(record);
  }
  const auto judged = run_retrial(folder, {"compare", "edited.db", "--json"});
  CHECK(field(judged.out, "status") == "INVALID");
  CHECK(field(judged.out, "reason") == "program-changed");
  const auto page = run_retrial(folder, {"compare", "edited.db"});
  CHECK_THAT(page.out, has_text("was edited between its") && has_text(helper_sha256.substr(0, 12) + " in a/0"));
  CHECK(run_retrial(folder, {"compare", "edited.db", "--require", "better"}).code == 4);
  CHECK(run_retrial(folder, {"compare", "edited.db", "--test", "paired_t"}).code == 4);
}

namespace {

/// One constant program that prints a hash of a text, run in pair 0 and later in pair 1; `explain` of both.
Ran explained(const Folder& folder, const std::map<std::string, std::string>& first,
              const std::map<std::string, std::string>& second) {
  write_file(folder / "t.py",
             "import sys, os\n"
             "if sys.argv[1] == '1' and not os.path.exists('go'): sys.exit(3)\n"
             "print('acc', hash('x') % 1000003)\n");
  std::vector<std::string> line{"run",
                                "--command",
                                "a=python3 t.py {pair}",
                                "--command",
                                "b=echo acc {seed}",
                                "--read",
                                "acc",
                                "--higher",
                                "--pairs",
                                "2",
                                "--seed",
                                "9",
                                "--jobs",
                                "1",
                                "--db",
                                "s.db"};
  REQUIRE(run_retrial(folder, line, first).code == 5);
  write_file(folder / "go", "");
  line.emplace_back("--retry-failed");
  REQUIRE(run_retrial(folder, line, second).code == 0);
  return run_retrial(folder, {"explain", "s.db", "a/0", "a/1"});
}

}  // namespace

TEST_CASE("explain names the variable by which two runs of one Python program differ", "[needs-python]") {
  const Folder folder;
  if (!has_python(folder)) return;
  const auto page = explained(folder, {{"PYTHONHASHSEED", "1"}}, {{"PYTHONHASHSEED", "3"}});
  INFO(page.out);
  CHECK(page.code == 0);
  CHECK_THAT(page.out, has_text("EXPLAINED"));
  CHECK_THAT(page.out, has_text("program.variables.PYTHONHASHSEED"));
  CHECK_THAT(page.out, !has_text("trial.argv"));
}

TEST_CASE("explain names the usual cause where Python shuffles its hashes and nothing recorded differs",
          "[needs-python]") {
  const Folder folder;
  if (!has_python(folder)) return;
  const auto page = explained(folder, {{"PYTHONHASHSEED", "random"}}, {{"PYTHONHASHSEED", "random"}});
  INFO(page.out);
  CHECK(page.code == 1);
  CHECK_THAT(page.out, has_text("a usual cause: PYTHONHASHSEED is not set"));
  // The command that it ends with is accepted as it is printed: a program of the user needs consent.
  CHECK_THAT(page.out, has_text("next: retrial replay s.db a/0 --allow-commands runs it again here"));
}

}  // namespace retrial::tests::own_modules_tests
