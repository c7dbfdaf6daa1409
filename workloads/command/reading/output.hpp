#pragma once

#include <string>
#include <string_view>

namespace retrial::workloads::command::inline reading {

/// What a program printed, its last MiB: enough to find its numbers, and a program that prints gigabytes costs no
/// memory. Where the beginning was dropped, so is the rest of the line that was cut, or, when there is no other line,
/// the rest of its cut word.
class Output {
 public:
  static constexpr std::size_t kept = std::size_t{1} << 20;

  void append(std::string_view bytes);
  /// What was kept. A line that was cut begins with the byte 0xff, which stands in no name and no number, so that
  /// neither a word nor a line seems to begin there.
  [[nodiscard]] std::string text() const;

 private:
  std::string bytes_;
  bool truncated_ = false;
};

/// At most `count` non-empty lines from the end, each cut to `width` characters and made safe to print, below each
/// other with two blanks in front; "(no output)" when there are none.
[[nodiscard]] std::string last_lines(std::string_view output, std::size_t count = 5, std::size_t width = 200);

/// At most `limit` bytes from the end, valid UTF-8, control characters other than line breaks replaced.
[[nodiscard]] std::string printable_end(std::string_view output, std::size_t limit = 4096);

}  // namespace retrial::workloads::command::inline reading
