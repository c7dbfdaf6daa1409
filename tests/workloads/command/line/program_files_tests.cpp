#include "workloads/command/line/program_files.hpp"

#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::program_files_tests {

using namespace retrial;
using namespace retrial::workloads;

namespace {

ProgramFiles files_of(const test::Folder& folder, const std::string& command, bool shell = false,
                      const std::string& inputs = "") {
  return command::program_files_of(
      resolved(find_workload("command", ""),
               {{"command", command}, {"shell", shell}, {"inputs", inputs}, {"workdir", folder.path().string()}}));
}

std::vector<std::string> names_of(const ProgramFiles& found) {
  std::vector<std::string> names;
  for (const auto& file : found.files) names.push_back(file.name);
  return names;
}

}  // namespace

TEST_CASE("files of a command line keep the words that name them, in order") {
  const test::Folder folder;
  folder.write("train.sh", "echo 1\n");
  folder.write("data.csv", "1\n");
  const auto found = files_of(folder, "sh train.sh --x no.csv {seed}", false, "data.csv");
  CHECK(names_of(found) == std::vector<std::string>{"sh", "train.sh", "data.csv"});
  CHECK(found.files[1].path == folder.path() / "train.sh");
  CHECK(found.unseen.empty());
}

TEST_CASE("an interpreter without a file to run is named, a script, an input or code in the command is not missed") {
  const test::Folder folder;
  folder.write("t.sh", "echo 1\n");
  CHECK(files_of(folder, "sh -s {seed}").unseen == "no word of its command but sh is a file");
  CHECK(files_of(folder, "env A=1 sh -s {seed}").unseen == "no word of its command but sh is a file");
  CHECK(files_of(folder, "cd sub && python3 t.py", true).unseen == "no word of its command but python3 is a file");
  CHECK(files_of(folder, "sh t.sh {seed}").unseen.empty());
  CHECK(files_of(folder, "env A=1 sh t.sh {seed}").unseen.empty());
  CHECK(files_of(folder, "sh -s {seed}", false, "t.sh").unseen.empty());
  CHECK(files_of(folder, "sh -c 'echo {seed}'").unseen.empty());
  CHECK(files_of(folder, "echo {seed}").unseen.empty());
  CHECK(files_of(folder, "echo $(({seed} % 7))", true).unseen.empty());
}

}  // namespace retrial::tests::program_files_tests
