// Silent and 0 if every formula has the values in the file named, workloads/pipeline/analysis/reference.json; else the
// first line that differs. Without Catch, so that any compiler and any flags can be tried
// (tests/workloads/pipeline/compilers.cmake).
#include "workloads/pipeline/analysis/reference.hpp"

#include <algorithm>
#include <iostream>

#include "results/text/file_system.hpp"

namespace retrial::pipeline {
const std::string_view reference_json = "";  // `retrial reproduce` has the file inside
}

int main(int count, char** words) {
  using namespace retrial;
  const auto document = count == 2 ? results::read_whole(words[1]) : std::nullopt;
  if (!document) {
    std::cerr << "give the file of the values\n";
    return 2;
  }
  const auto table = pipeline::recomputed(*document);
  const auto wrong = std::ranges::find_if(table.lines, [](const auto& line) { return !line.ok(); });
  if (wrong == table.lines.end() && !table.lines.empty()) return 0;
  std::cerr << (table.lines.empty() ? "no line" : wrong->what) << '\n';
  return 1;
}
