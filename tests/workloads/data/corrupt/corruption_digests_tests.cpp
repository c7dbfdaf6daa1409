// tests/golden/corrupt/corruptions.txt holds what this project made when its reference values had been confirmed; other
// builds (presets here, another compiler in tests/variance/compilers.cmake) must make the same bytes.
#include "tests/workloads/data/corrupt/corruption_digests.hpp"

#include "tests/catch.hpp"
#include "tests/house/kept_text.hpp"

namespace retrial::tests::corruption_digests_tests {

TEST_CASE("every corruption at every severity makes the bytes that are kept, in every build") {
  const auto expected = retrial::test::kept_lines(RETRIAL_SOURCE_DIR "/tests/golden/corrupt/corruptions.txt");
  const auto found = retrial::test::lines_of(corruption_digests::report());
  REQUIRE(expected.size() == 3 * 17 * 5);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == expected[i]);
}

}  // namespace retrial::tests::corruption_digests_tests
