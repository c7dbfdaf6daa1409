#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace retrial {

/// The value of one key of a workload. The alternative is fixed by the key's declaration.
using Value = std::variant<bool, std::int64_t, double, std::string>;

/// Keys with their values, in byte order of the keys.
using Values = std::map<std::string, Value>;

/// The value of a key, with the type of its declaration. A missing key or another type is a programming error and
/// throws.
[[nodiscard]] inline bool flag_in(const Values& values, const std::string& key) {
  return std::get<bool>(values.at(key));
}
[[nodiscard]] inline std::int64_t integer_in(const Values& values, const std::string& key) {
  return std::get<std::int64_t>(values.at(key));
}
[[nodiscard]] inline double number_in(const Values& values, const std::string& key) {
  return std::get<double>(values.at(key));
}
[[nodiscard]] inline const std::string& text_in(const Values& values, const std::string& key) {
  return std::get<std::string>(values.at(key));
}

}  // namespace retrial
