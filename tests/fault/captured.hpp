// A command line inside this process: thousands of them a minute, and under the sanitizers of the test program.
#pragma once

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "harness/program/program.hpp"

namespace retrial::tests {

struct Captured {
  int code = 0;
  std::string out, err;
};

inline Captured captured(const std::vector<std::string>& words) {
  std::ostringstream out, err;
  auto* const to_out = std::cout.rdbuf(out.rdbuf());
  auto* const to_err = std::cerr.rdbuf(err.rdbuf());
  const int code = harness::run_program(words);
  std::cout.rdbuf(to_out);
  std::cerr.rdbuf(to_err);
  std::cout.clear();
  return {.code = code, .out = out.str(), .err = err.str()};
}

/// How many lines of `text` begin with `start`.
inline int lines_with(const std::string& text, const std::string& start) {
  int count = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) count += line.starts_with(start) ? 1 : 0;
  return count;
}

}  // namespace retrial::tests
