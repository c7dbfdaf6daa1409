// Prints the digests of all corruptions, or with a file name says where they differ from that file.
//   (head -1 tests/golden/corrupt/corruptions.txt; corruption_digests) > new      after a change that is meant to move
//   a byte

#include "tests/house/kept_text.hpp"
#include "tests/workloads/data/corrupt/corruption_digests.hpp"

int main(int count, char** words) {
  return retrial::test::print_or_compare(corruption_digests::report(), count, words);
}
