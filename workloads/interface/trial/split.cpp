#include "workloads/interface/trial/split.hpp"

#include <algorithm>

namespace retrial::workloads::inline interface::inline trial {

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::vector<std::string> split(std::string_view list, char separator, std::string_view blanks) {
  std::vector<std::string> parts;
  for (std::size_t from = 0, end = 0; from <= list.size(); from = end + 1) {
    end = std::min(list.find(separator, from), list.size());
    parts.emplace_back(trimmed(list.substr(from, end - from), blanks));
  }
  return parts;
}

}  // namespace retrial::workloads::inline interface::inline trial
