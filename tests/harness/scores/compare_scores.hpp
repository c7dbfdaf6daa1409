// `compare --scores s.csv` in the current folder, and a table of tasks to compare.
#pragma once

#include <string>
#include <vector>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests {

inline fixture::Answer compare(std::vector<std::string> words) {
  words.insert(words.begin(), {"compare", "--scores", "s.csv"});
  return fixture::retrial(words);
}

/// The document of `compare --scores s.csv --json`.
inline Json json_of(std::vector<std::string> words) {
  words.emplace_back("--json");
  const auto answer = compare(words);
  INFO(answer.err);
  REQUIRE_FALSE(answer.out.empty());
  return results::parse_json(answer.out, "stdout");
}

/// `tasks` tasks with five pairs each. The candidate gains `gain` plus a little that differs from pair to pair.
inline std::string tasks_text(int tasks, double gain) {
  std::string text = "variant,pair,task,score\n";
  for (int t = 0; t < tasks; ++t)
    for (int i = 0; i < 5; ++i) {
      const double base = 10 + t + i * 0.5;
      text += "old," + std::to_string(i) + ",t" + std::to_string(t) + "," + std::to_string(base) + "\n";
      text += "new," + std::to_string(i) + ",t" + std::to_string(t) + "," +
              std::to_string(base + gain + 0.1 * ((i * 7 + t * 3) % 5)) + "\n";
    }
  return text;
}

}  // namespace retrial::tests
