#pragma once

#include <string>
#include <vector>

namespace retrial::workloads::command::inline reading {

/// Keys with several texts (read, digest, inputs) have one per line: a line break is the one character that none of
/// them needs. `joined_lines` joins repeated options (--read), and drops blank lines and the blanks around each.
[[nodiscard]] std::string joined_lines(const std::vector<std::string>& items);
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// Without the blanks, tabs and line ends around it.
[[nodiscard]] std::string trimmed(const std::string& text);

}  // namespace retrial::workloads::command::inline reading
