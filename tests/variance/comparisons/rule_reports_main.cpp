// Prints what every rule says of fixed scores, or with a file name says where it differs from that file
// (compilers.cmake).
//   (head -1 tests/golden/comparisons/rules.txt; rule_reports) > new      after a change that is meant to move a
//   number

#include "tests/house/kept_text.hpp"
#include "tests/variance/comparisons/rule_reports.hpp"

int main(int count, char** words) {
  return retrial::test::print_or_compare(rules::report(), count, words);
}
