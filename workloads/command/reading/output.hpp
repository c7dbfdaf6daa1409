#pragma once

#include <string>
#include <string_view>

namespace retrial::workloads::command::inline reading {

/// The last MiB of a program's output: enough to find its numbers, at bounded memory. If the beginning was dropped, so
/// is the rest of the line that was cut or, without another line, the rest of the word that was cut.
class Output {
 public:
  static constexpr std::size_t kept = std::size_t{1} << 20;

  void append(std::string_view bytes);
  /// The kept text. A line that was cut begins with the byte 0xff, which is part of no name and no number, so that
  /// neither a word nor a line seems to begin there.
  [[nodiscard]] std::string text() const;
  /// Whether nothing was dropped.
  [[nodiscard]] bool whole() const { return !truncated_ && bytes_.size() <= kept; }

 private:
  std::string bytes_;
  bool truncated_ = false;
};

/// The last `count` non-empty lines, each cut to `width` characters, safe to print and indented by two blanks; "(no
/// output)" if every line is empty.
[[nodiscard]] std::string last_lines(std::string_view output, std::size_t count = 10, std::size_t width = 200);

/// At most the last `limit` bytes as valid UTF-8, control characters other than line breaks replaced.
[[nodiscard]] std::string printable_end(std::string_view output, std::size_t limit = 4096);

}  // namespace retrial::workloads::command::inline reading
