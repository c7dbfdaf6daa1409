// tests/golden/corruptions.txt holds what this project made when its reference values had been confirmed; other builds
// (presets here, another compiler in tests/variance/compilers.cmake) must make the same bytes.
#include "tests/workloads/corruption_digests.hpp"

#include <fstream>
#include <sstream>

#include "tests/catch.hpp"

TEST_CASE("every corruption at every severity makes the bytes that are kept, in every build") {
  std::ifstream file(RETRIAL_SOURCE_DIR "/tests/golden/corruptions.txt");
  std::istringstream found(corruption_digests::report());
  std::string expected, line;
  int lines = 0;
  for (; std::getline(file, expected); ++lines) {
    REQUIRE(std::getline(found, line));
    CHECK(line == expected);
  }
  CHECK(lines == 3 * 17 * 5);
  CHECK_FALSE(std::getline(found, line));
}
