#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace retrial::workloads::inline interface::inline trial {

/// The text without these blanks at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text, std::string_view blanks);

/// The parts of a list between separators, each trimmed; one empty part for an empty text.
[[nodiscard]] std::vector<std::string> split(std::string_view list, char separator, std::string_view blanks = "");

}  // namespace retrial::workloads::inline interface::inline trial
