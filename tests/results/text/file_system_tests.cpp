// Files that are written whole or not at all.
#include <fstream>
#include <thread>
#include <vector>

#include "results/text/file_system.hpp"
#include "tests/catch.hpp"
#include "tests/results/store/fixtures.hpp"

namespace retrial::tests::file_system_tests {

using namespace retrial::results;
namespace fs = std::filesystem;

TEST_CASE("a file is written through no name that somebody could have prepared") {
  const TemporaryFolder folder;
  const auto victim = folder / "victim";
  REQUIRE(write_durably(victim, "kept"));
  // The names that were used before, and a link in the place of the file itself.
  fs::create_symlink(victim, folder / "page.html.tmp");
  fs::create_symlink(victim, folder / "link.html");
  CHECK(write_durably(folder / "page.html", "page"));
  CHECK(write_durably(folder / "link.html", "page"));
  CHECK(read_whole(victim) == "kept");
  CHECK(read_whole(folder / "page.html") == "page");
  CHECK(fs::is_regular_file(fs::symlink_status(folder / "link.html")));
}

TEST_CASE("many writers of one file all succeed, the file is one of theirs, and nothing else is left") {
  const TemporaryFolder folder;
  const auto file = folder / "page.html";
  std::vector<int> good(16);
  {
    std::vector<std::jthread> writers;
    for (std::size_t i = 0; i < good.size(); ++i)
      writers.emplace_back([&, i] { good[i] = write_durably(file, std::string(100'000, char('a' + i))) ? 1 : 0; });
  }
  CHECK(good == std::vector<int>(good.size(), 1));
  const auto text = read_whole(file).value();
  CHECK(text == std::string(100'000, text.at(0)));
  CHECK(std::distance(fs::directory_iterator(file.parent_path()), fs::directory_iterator()) == 1);
}

TEST_CASE("a new file has the rights of any other, and a folder that is missing is an answer") {
  const TemporaryFolder folder;
  REQUIRE(write_durably(folder / "page.html", "page"));
  std::ofstream(folder / "usual") << "x";
  const auto group_cannot_write = ~fs::perms::group_write & ~fs::perms::others_write;
  CHECK(fs::status(folder / "page.html").permissions() ==
        (fs::status(folder / "usual").permissions() & group_cannot_write));
  CHECK_FALSE(write_durably(folder / "none/page.html", "page"));
}

}  // namespace retrial::tests::file_system_tests
