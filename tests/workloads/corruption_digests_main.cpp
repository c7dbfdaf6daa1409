// Prints the digests of all corruptions, or with a file name says where they differ from that file.
//   corruption_digests > tests/golden/corruptions.txt      after a change that is meant to move a byte

#include "tests/workloads/corruption_digests.hpp"

#include <fstream>
#include <iostream>
#include <sstream>

int main(int count, char** words) {
  const std::string report = corruption_digests::report();
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
