#pragma once

#include <string>

namespace retrial::automl::inline datasets {

/// Throws Error{usage}: a key of the workload that does not fit the data. `code` is a token such as "automl.table".
[[noreturn]] void refuse_key(const char* code, const std::string& key, const std::string& value,
                             const std::string& problem, const std::string& allowed, const std::string& help = "");

}  // namespace retrial::automl::inline datasets
