#include "harness/system/line_io.hpp"

#include <unistd.h>

#include <cerrno>

namespace retrial::harness::inline system {

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::optional<std::string> LineReader::next() {
  for (;;) {
    if (const auto end = buffer_.find('\n'); end != std::string::npos) {
      auto line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    char piece[65536];
    const auto count = ::read(fd_, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    buffer_.append(piece, static_cast<std::size_t>(count));
  }
}

std::optional<std::string> LineSplitter::next() {
  const auto end = buffer_.find('\n', scanned_);
  if (end == std::string::npos) {
    scanned_ = buffer_.size();
    return std::nullopt;
  }
  auto line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  scanned_ = 0;
  return line;
}

void OutputTail::add(std::string_view bytes) {
  bytes_ += bytes;
  if (bytes_.size() > 2 * capacity_) bytes_.erase(0, bytes_.size() - capacity_);
}

std::string OutputTail::last(std::size_t lines, std::size_t limit) const {
  std::string_view text = bytes_;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  std::size_t from = text.size();
  while (lines > 0 && from > 0) {
    from = text.rfind('\n', from - 1);
    if (from == std::string_view::npos) {
      from = 0;
      break;
    }
    --lines;
  }
  if (from < text.size() && text[from] == '\n') ++from;
  text.remove_prefix(from);
  if (text.size() > limit) text.remove_prefix(text.size() - limit);
  return std::string(text);
}

}  // namespace retrial::harness::inline system
