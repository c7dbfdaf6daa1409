// Every word of the help and the manual pages, so that a change of words shows in tests/golden/program.
#include <set>

#include "harness/program/commands.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/golden.hpp"

namespace retrial::tests::help_tests {

using namespace retrial;

namespace {

std::string page(const std::vector<std::string>& words) {
  const auto answer = fixture::retrial(words);
  CHECK(answer.exit == 0);
  CHECK(answer.err.empty());
  return answer.out;
}

}  // namespace

TEST_CASE("help and manual pages are the approved ones, and no approved page is without its command", "[golden]") {
  std::set<std::string> names;
  const auto approve = [&](const std::string& name, const std::vector<std::string>& words) {
    names.insert(name);
    fixture::approve("program/" + name, page(words));
  };
  approve("retrial.txt", {"--help"});
  approve("retrial.1", {"--generate", "man"});
  approve("retrial-study.5", {"--generate", "man-study"});
  for (const auto& command : harness::all_commands()) {
    const auto& name = command.name;
    approve(name + ".txt", {name, "--help"});
    approve(name + ".1", {"--generate", "man", name});
    if (page({name, "--help-all"}) != page({name, "--help"})) approve(name + "_all.txt", {name, "--help-all"});
  }

  std::set<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(fixture::golden_folder / "program"))
    files.insert(file.path().filename().string());
  CHECK(files == names);
}

}  // namespace retrial::tests::help_tests
