#pragma once

// Files that other tools wrote, and what the program says about tables.
#include <fstream>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::exported_tables {

using retrial::tests::write_file;

/// A file of tests/golden/scores/exports: acc of kd and base under the seeds 0, 1, 2.
inline std::string exported(const std::string& name) {
  std::ifstream file(RETRIAL_SOURCE_DIR "/tests/golden/scores/exports/" + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  REQUIRE(!text.str().empty());
  return text.str();
}

inline fixture::Answer asked(std::vector<std::string> words, const std::string& columns = "") {
  if (!columns.empty()) words.insert(words.end(), {"--columns", columns});
  return fixture::retrial(words);
}

/// The refusal of a table without --columns.
inline std::string refusal(const std::string& text) {
  write_file("t.csv", text);
  const auto answer = asked({"compare", "--scores", "t.csv", "--higher"});
  CHECK(answer.exit == 2);
  CHECK(answer.out.empty());
  return answer.err;
}

}  // namespace retrial::tests::exported_tables
