#include "workloads/command/reading/output.hpp"

#include <algorithm>
#include <vector>

#include "results/text/text.hpp"

namespace retrial::workloads::command::inline reading {

namespace {

/// The last `count` lines that are not empty, in order.
std::vector<std::string_view> lines_from_end(std::string_view text, std::size_t count) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < count) {
    const auto line_break = text.rfind('\n');
    const auto line = text.substr(line_break == text.npos ? 0 : line_break + 1);
    if (line.find_first_not_of(" \t\r") != line.npos) lines.push_back(line);
    text = line_break == text.npos ? std::string_view{} : text.substr(0, line_break);
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

}  // namespace

void Output::append(std::string_view bytes) {
  bytes_ += bytes;
  if (bytes_.size() <= 2 * kept) return;  // dropping at every append would move a MiB each time
  bytes_.erase(0, bytes_.size() - kept);
  truncated_ = true;
}

std::string Output::text() const {
  const auto dropped = bytes_.size() > kept ? bytes_.size() - kept : 0;
  auto text = bytes_.substr(dropped);
  if (!truncated_ && dropped == 0) return text;
  const auto next_line = text.find_first_not_of('\n', text.find('\n'));
  if (next_line != std::string::npos) return text.substr(next_line);
  const auto blank = text.find_first_of(" \t\n");
  return text.replace(0, blank == std::string::npos ? 1 : blank, 1, '\xff');
}

std::string last_lines(std::string_view output, std::size_t count, std::size_t width) {
  std::string text;
  for (const auto& line : lines_from_end(output, count)) text += "\n  " + results::one_line(line, width);
  return text.empty() ? "\n  (no output)" : text;
}

std::string printable_end(std::string_view output, std::size_t limit) {
  if (output.size() > limit) output.remove_prefix(output.size() - limit);
  std::string text;
  for (std::size_t from = 0; from < output.size();) {
    const auto end = std::min(output.find('\n', from), output.size());
    text += results::one_line(output.substr(from, end - from), limit);
    if (end < output.size()) text += '\n';
    from = end + 1;
  }
  return text;
}

}  // namespace retrial::workloads::command::inline reading
