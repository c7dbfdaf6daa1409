#include "harness/watch/commit_name.hpp"

#include <cstdio>
#include <memory>

#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline watch {
namespace {

/// The full name of a revision; empty where git or the revision is missing.
std::string resolved(const std::string& revision) {
  const std::string command =
      "git rev-parse --verify --quiet --end-of-options " + shell_word(revision + "^{commit}") + " 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(::popen(command.c_str(), "r"), ::pclose);
  std::string text;
  for (int c = 0; output && (c = std::fgetc(output.get())) != EOF && c != '\n';) text += static_cast<char>(c);
  return text;
}

}  // namespace

std::string commit_named(const std::optional<std::string>& word) {
  if (word && (word->empty() || word->size() > 200 || results::one_line(*word, 200) != *word))
    throw Error({.code = "usage.option_value",
                 .field = "--commit",
                 .value = results::one_line(*word, 100),
                 .problem = "is no name of a commit",
                 .allowed = "1 to 200 bytes in one line"});
  if (const auto name = resolved(word.value_or("HEAD")); !name.empty()) return name;
  if (word) return *word;
  throw Error({.code = "usage.missing_option",
               .field = "--commit",
               .problem = "must be given: this folder is in no git repository with a commit",
               .help = "retrial gate --kind paired_sign --history watch.db --commit NAME ..."});
}

}  // namespace retrial::harness::inline watch
