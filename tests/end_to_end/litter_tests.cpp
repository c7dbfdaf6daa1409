// A store is one file: what reads it leaves nothing next to it.
#include <set>

#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::litter_tests {
namespace {

std::set<std::string> files_in(const Folder& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path))
    names.insert(entry.path().filename().string());
  names.erase(".cache");
  return names;
}

}  // namespace

TEST_CASE("no command that reads a store leaves a log or shared memory next to it") {
  const Folder folder;
  REQUIRE(
      run_retrial(folder, {"run", "null", "--pairs", "4", "--seed", "1", "--set", "epochs=2", "--db", "s.db"}).code ==
      0);
  const auto before = files_in(folder);
  REQUIRE(before.contains("s.db"));
  CHECK_FALSE(before.contains("s.db-wal"));
  const std::vector<std::vector<std::string>> readers{{"status", "s.db"},
                                                      {"show", "s.db"},
                                                      {"show", "s.db", "base/0"},
                                                      {"verify", "--full", "s.db"},
                                                      {"compare", "s.db"},
                                                      {"explain", "s.db", "base/0", "base/1"},
                                                      {"report", "s.db", "-o", "/dev/null"},
                                                      {"variance", "s.db"},
                                                      {"replay", "s.db", "base/0"}};
  for (const auto& words : readers) {
    const auto ran = run_retrial(folder, words);
    CAPTURE(words.front(), ran.code, ran.err);
    CHECK(files_in(folder) == before);
  }
  // A reader that stops early ends no command, and the command is none that failed.
  for (const std::string command : {"export", "report --format html"}) {
    const std::string line = "set -o pipefail; '" + folder.front_end + "' " + command + " s.db | head -c 1";
    const auto ran = Program(folder, {"-c", line}, {}, "/bin/bash").wait();
    CAPTURE(line, ran.out, ran.err);
    CHECK(ran.code == 0);
    CHECK(ran.err.empty());
    CHECK(files_in(folder) == before);
  }
}

}  // namespace retrial::tests::litter_tests
