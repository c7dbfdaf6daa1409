#pragma once

#include <string>
#include <vector>

#include "tests/harness/program/program.hpp"

/// What the tests of a user's own program begin with.
namespace retrial::tests {

using Words = std::vector<std::string>;

/// One list of words behind the other.
inline Words both(Words line, const Words& more) {
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

/// `run` of two variants, a and b, of one shell script: it is written as p.sh and gets the seed and 1 or 2. Root
/// seed 1.
inline Words run_of_script(const Folder& folder, const std::string& script, const std::string& pairs,
                           const Words& more) {
  write_file(folder / "p.sh", script + "\n");
  return both(
      {"run", "--command", "a=sh p.sh {seed} 1", "--command", "b=sh p.sh {seed} 2", "--pairs", pairs, "--seed", "1"},
      more);
}

/// `compare` of a store of this folder.
inline Ran compare(const Folder& folder, const std::string& store, const Words& more) {
  return run_retrial(folder, both({"compare", store}, more));
}

}  // namespace retrial::tests
