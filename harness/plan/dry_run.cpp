#include "harness/plan/dry_run.hpp"

#include "harness/text/output.hpp"

namespace retrial::harness::inline plan {

std::string dry_argv(const TrialBody& body) {
  const auto& declaration = body.declaration();
  if (!declaration.argv) return "";
  std::string line;
  for (const auto& word : declaration.argv(body.trial())) {
    if (!line.empty()) line += " ";
    line += shell_word(word);
  }
  return line;
}

}  // namespace retrial::harness::inline plan
