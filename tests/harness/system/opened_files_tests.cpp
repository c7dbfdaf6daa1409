#include "harness/system/opened_files.hpp"

#include <fstream>
#include <iterator>

#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"

namespace retrial::tests::opened_files_tests {

using namespace retrial;
using harness::OpenedFiles;
using Files = std::set<std::filesystem::path>;

namespace {

void read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace

TEST_CASE("files that are opened or renamed into a folder are named once, those of other folders are not") {
  const test::Folder folder;
  for (const char* name : {"in/a", "in/b", "in/c.tmp", "out/d", "in/sub/e"}) folder.write(name, "x");
  OpenedFiles files;
  files.watch(folder.path() / "in");
  CHECK(files.take().empty());
  for (const char* name : {"in/a", "in/a", "out/d", "in/sub/e"}) read(folder.path() / name);
  std::filesystem::rename(folder.path() / "in/c.tmp", folder.path() / "in/c");
  CHECK(files.take() == Files{folder.path() / "in/a", folder.path() / "in/c"});
  CHECK(files.take().empty());
  CHECK(files.complete());
}

TEST_CASE("a folder that appears later, or is made again, is watched, and its first files count") {
  const test::Folder folder;
  const auto late = folder.path() / "late";
  OpenedFiles files;
  files.watch(late);
  CHECK(files.take().empty());
  folder.write("late/a", "x");
  CHECK(files.take() == Files{late / "a"});
  read(late / "a");
  CHECK(files.take() == Files{late / "a"});
  std::filesystem::remove_all(late);
  CHECK(files.take().empty());
  folder.write("late/b", "x");
  CHECK(files.take() == Files{late / "b"});
}

}  // namespace retrial::tests::opened_files_tests
