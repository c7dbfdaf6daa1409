#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "variance/numbers/error.hpp"

/// Enumerations with one name per value, as keys and formulas spell them.
namespace retrial::pipeline::inline methods {

template <typename Enum>
struct Named {
  Enum value;
  std::string_view name;
};

template <typename Table>
[[nodiscard]] std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

/// Throws InvalidInput naming the field and the names of the table.
template <typename Table>
[[nodiscard]] auto value_named(const Table& table, const std::string& field, std::string_view name) {
  std::string allowed;
  for (const auto& row : table) {
    if (row.name == name) return row.value;
    allowed += (allowed.empty() ? "" : ", ") + std::string(row.name);
  }
  throw InvalidInput(field, std::string(name), allowed);
}

}  // namespace retrial::pipeline::inline methods
