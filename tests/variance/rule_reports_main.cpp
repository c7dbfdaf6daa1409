// Prints what every rule says of fixed scores, or with a file name says where it differs from that file. Compiled
// without Catch, so that any compiler and any flags can be tried (compilers.cmake).
//   rule_reports > tests/golden/rules.txt      after a change that is meant to move a number

#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/variance/rule_reports.hpp"

int main(int count, char** words) {
  const std::string report = rules::report();
  if (count < 2) {
    std::cout << report;
    return 0;
  }
  std::ifstream file(words[1]);
  std::istringstream found(report);
  std::string expected, line;
  while (std::getline(file, expected))
    if (!std::getline(found, line) || line != expected) {
      std::cerr << "expected " << expected << "\ngot      " << line << '\n';
      return 1;
    }
  return std::getline(found, line) ? 1 : 0;
}
