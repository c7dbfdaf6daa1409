// A program that prints a text, or with a file name says where the text differs from that file. Without Catch, so that
// any compiler and any flags can be tried.
#pragma once

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

namespace retrial::test {

inline int print_or_compare(const std::string& text, int count, char** words) {
  if (count < 2) {
    std::cout << text;
    return 0;
  }
  std::ifstream file(words[1]);
  std::istringstream found(text);
  std::string expected, line;
  while (std::getline(file, expected))
    if (!std::getline(found, line) || line != expected) {
      std::cerr << "expected " << expected << "\ngot      " << line << '\n';
      return 1;
    }
  return std::getline(found, line) ? 1 : 0;
}

}  // namespace retrial::test
