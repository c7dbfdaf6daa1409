#include "results/digest/file_digests.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"

namespace retrial::tests::file_digests_tests {

using namespace retrial;
using results::FileDigests;

TEST_CASE("a file is read once, and again after an edit that keeps its size and its time of modification") {
  const test::Folder folder;
  folder.write("a.txt", "abc");
  const auto file = folder.path() / "a.txt";
  FileDigests digests;
  // FIPS 180-4, example of one block.
  const std::string abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  CHECK(results::hex(digests.of(file).value()) == abc);
  CHECK(results::hex(digests.of(file).value()) == abc);
  CHECK(digests.readings() == 1);
  struct stat before {};
  REQUIRE(::stat(file.c_str(), &before) == 0);
  folder.write("a.txt", "abd");
  const timespec times[2] = {before.st_atim, before.st_mtim};
  REQUIRE(::utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
  CHECK(results::hex(digests.of(file).value()) != abc);
  CHECK(digests.readings() == 2);
}

TEST_CASE("what is no file has no digest") {
  const test::Folder folder;
  FileDigests digests;
  CHECK_FALSE(digests.of(folder.path()));
  CHECK_FALSE(digests.of(folder.path() / "none"));
  CHECK(digests.readings() == 0);
}

}  // namespace retrial::tests::file_digests_tests
