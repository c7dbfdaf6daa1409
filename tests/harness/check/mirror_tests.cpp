// A folder of links in another order of files.
#include "harness/check/mirror.hpp"

#include <fstream>
#include <set>

#include "harness/system/host.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::mirror_tests {

using namespace retrial::harness;

namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::set<std::string> as_set(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

/// A folder with three files and a folder of two, where files keep the order in which they are made.
struct Source {
  Source() {
    for (const std::string name : {"a", "b", "c"}) std::ofstream(folder.path() / name) << name;
    fs::create_directory(folder.path() / "d");
    for (const std::string name : {"x", "y"}) std::ofstream(folder.path() / "d" / name) << name;
    fs::create_directory(folder.path() / ".git");
    std::ofstream(folder.path() / ".git" / "HEAD") << "main";
  }
  ScratchFolder folder{folder_for_mirrors()};
};

}  // namespace

TEST_CASE("a mirror has the same names and contents in another order, folders included") {
  const Source source;
  const ScratchFolder to(folder_for_mirrors());
  const bool differs = mirrored_in_other_order(source.folder.path(), to.path());
  CHECK(as_set(names_in_order(to.path())) == as_set(names_in_order(source.folder.path())));
  CHECK(content(to.path() / "b") == "b");
  CHECK(content(to.path() / "d" / "y") == "y");
  CHECK(content(to.path() / ".git" / "HEAD") == "main");
  CHECK_FALSE(fs::is_symlink(to.path() / "d"));
  CHECK(fs::is_symlink(to.path() / ".git"));
  // Where /dev/shm is missing, the file system may have an order of its own.
  CHECK(differs == (names_in_order(to.path()) != names_in_order(source.folder.path()) ||
                    names_in_order(to.path() / "d") != names_in_order(source.folder.path() / "d")));
  if (folder_for_mirrors() == "/dev/shm") CHECK(differs);
}

TEST_CASE("removing a mirror leaves the files that it links to") {
  const Source source;
  {
    const ScratchFolder to(folder_for_mirrors());
    (void)mirrored_in_other_order(source.folder.path(), to.path());
  }
  CHECK(content(source.folder.path() / "d" / "x") == "x");
}

TEST_CASE("a folder with nothing to reorder has no mirror") {
  const ScratchFolder empty(folder_for_mirrors()), to(folder_for_mirrors()), other(folder_for_mirrors());
  CHECK_FALSE(mirrored_in_other_order(empty.path(), to.path()));
  std::ofstream(empty.path() / "one") << "1";
  CHECK_FALSE(mirrored_in_other_order(empty.path(), other.path()));
  CHECK_FALSE(mirrored_in_other_order(empty.path() / "none", to.path()));
}

}  // namespace retrial::tests::mirror_tests
