#include "workloads/published/row.hpp"

#include <algorithm>

#include "results/text/text.hpp"

namespace retrial::published {

std::string name_of(EpochRule rule) {
  switch (rule) {
    case EpochRule::last:
      return "last";
    case EpochRule::best_test:
      return "best-test";
    case EpochRule::unknown:
      return "unknown";
  }
  return "";
}

std::string part_of(const Row& row, const std::string& name) {
  const auto found = std::ranges::find(row.cell, name, &std::pair<std::string, std::string>::first);
  return found == row.cell.end() ? "none" : found->second;
}

std::string cell_text(const Row& row) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : row.cell)
    if (value != "none") parts.push_back(value);
  return row.method + ", " + results::joined(parts, " to ") + ", " + row.dataset;
}

}  // namespace retrial::published
