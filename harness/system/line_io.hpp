#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace retrial::harness::inline system {

/// Writes everything; false when the other end is closed or the disk reports an error.
[[nodiscard]] bool write_all(int fd, std::string_view bytes);

/// Lines from a descriptor, without their LF. next() blocks; it returns nothing at the end of the input.
class LineReader {
 public:
  explicit LineReader(int fd) : fd_(fd) {}
  [[nodiscard]] std::optional<std::string> next();

 private:
  int fd_;
  std::string buffer_;
};

/// Splits bytes that arrive in pieces into lines. overlong() reports a line longer than `longest`.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t longest) : longest_(longest) {}
  void add(std::string_view bytes) { buffer_ += bytes; }
  [[nodiscard]] std::optional<std::string> next();
  [[nodiscard]] bool overlong() const { return buffer_.size() > longest_; }

 private:
  std::size_t longest_;
  std::string buffer_;
  std::size_t scanned_ = 0;
};

/// The last bytes of a program's output.
class OutputTail {
 public:
  explicit OutputTail(std::size_t capacity) : capacity_(capacity) {}
  void add(std::string_view bytes);
  void clear() { bytes_.clear(); }
  /// The last `lines` lines, at most `limit` bytes.
  [[nodiscard]] std::string last(std::size_t lines, std::size_t limit) const;

 private:
  std::size_t capacity_;
  std::string bytes_;
};

}  // namespace retrial::harness::inline system
