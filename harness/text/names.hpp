#pragma once

#include <string>
#include <vector>

namespace retrial::harness::inline text {

/// The field `name` of each row.
template <typename Rows>
[[nodiscard]] std::vector<std::string> names_in(const Rows& rows) {
  std::vector<std::string> out;
  for (const auto& row : rows) out.emplace_back(row.name);
  return out;
}

}  // namespace retrial::harness::inline text
