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

}  // namespace retrial
