#pragma once

#include <string>
#include <vector>

namespace retrial::workloads::command::inline reading {

/// The lines of a key with several texts (read, digest, inputs), without blank lines and the blanks around each: a line
/// break is the one character that none of these texts needs.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// Without the blanks, tabs and line ends around it.
[[nodiscard]] std::string trimmed(const std::string& text);

}  // namespace retrial::workloads::command::inline reading
