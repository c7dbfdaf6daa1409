#pragma once

#include <string>
#include <vector>

namespace retrial::workloads::command::inline line {

/// One element of argv, and what a shell would have treated specially in it.
struct Word {
  std::string text;
  bool quoted = false;      ///< part of it was in quotes or after a backslash
  std::string shell_needs;  ///< first construct that needs a shell: "$HOME"; empty if none
};

struct Words {
  std::vector<Word> words;
  std::string problem;  ///< "an opening ' at character 7 is not closed"; empty if the text could be split
};

/// Splits as a POSIX shell does (Shell Command Language, 2.2 and 2.3): blanks and line breaks separate; '...' is
/// literal; in "..." a backslash escapes only $ ` " \ and the line break; elsewhere it escapes anything. Nothing is
/// expanded, and operators are ordinary characters; `shell_only` reports words that seem to expect more.
[[nodiscard]] Words split_words(const std::string& text);

[[nodiscard]] std::vector<std::string> texts_of(const Words& words);

/// A sentence for words that need a shell (| && > $HOME `...` ~/ NAME=value in front), with what to write instead; else
/// empty.
[[nodiscard]] std::string shell_only(const Words& words);

}  // namespace retrial::workloads::command::inline line
