#include "workloads/interface/trial/split.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::interface_split_tests {

using namespace retrial;
using workloads::split, workloads::trimmed;
using Parts = std::vector<std::string>;

TEST_CASE("a list has one part more than separators, also where parts are empty") {
  CHECK(split("", ',') == Parts{""});
  CHECK(split("a", ',') == Parts{"a"});
  CHECK(split("a,,b,", ',') == Parts{"a", "", "b", ""});
}

TEST_CASE("parts lose the blanks that are named, and no others") {
  CHECK(split(" a, b ", ',') == Parts{" a", " b "});
  CHECK(split(" a,\tb ", ',', " ") == Parts{"a", "\tb"});
  CHECK(split("   ", ',', " ") == Parts{""});
  CHECK(trimmed(" \ta b\n", " \t\n") == "a b");
  CHECK(trimmed("  ", " ").empty());
  CHECK(trimmed("", " ").empty());
}

}  // namespace retrial::tests::interface_split_tests
