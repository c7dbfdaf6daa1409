#pragma once

#include <string>
#include <vector>

namespace retrial::harness::inline program {

/// One completion at the cursor. A word that ends in '/' or '=' is to be continued; the others are complete.
struct Candidate {
  std::string word, meaning;
};

/// Completions of the last of `words` (argv without the program's name, cut at the cursor; the last one may be empty or
/// incomplete), from the option tables, the registries, and the store or study file named earlier on the line. A line
/// that makes no sense has no candidates; nothing is thrown and nothing is printed.
[[nodiscard]] std::vector<Candidate> completions(const std::vector<std::string>& words);

/// "word<TAB>meaning" lines, which `retrial --complete -- WORDS...` prints for the three scripts.
[[nodiscard]] std::string completion_lines(const std::vector<std::string>& words);

/// The script that a shell sources once. It has no list of its own: every key press asks the program, so it is never
/// out of date.
struct CompletionScript {
  std::string shell, text;
};
[[nodiscard]] const std::vector<CompletionScript>& completion_scripts();

}  // namespace retrial::harness::inline program
