// Texts that this project printed once and that every build must print again. Without Catch, so that any compiler and
// any flags can be tried.
#pragma once

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace retrial::test {

/// The lines of a kept text after the comment that opens it.
inline std::vector<std::string> kept_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    if (!line.starts_with("# ")) lines.push_back(line);
  return lines;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Prints a text, or with a file name reports where the text differs from that file.
inline int print_or_compare(const std::string& text, int count, char** words) {
  if (count < 2) {
    std::cout << text;
    return 0;
  }
  const auto expected = kept_lines(words[1]), found = lines_of(text);
  const auto [kept, printed] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
  if (kept == expected.end() && printed == found.end()) return 0;
  std::cerr << "expected " << (kept == expected.end() ? "the end" : *kept) << "\ngot      "
            << (printed == found.end() ? "the end" : *printed) << '\n';
  return 1;
}

}  // namespace retrial::test
