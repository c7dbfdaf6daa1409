#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace retrial::results::inline json {

/// Pieces of canonical JSON, for documents that are written without being built in memory first.
void append_string(std::string& out, std::string_view text);  ///< throws Error for invalid UTF-8
void append_integer(std::string& out, std::int64_t value);
void append_integer(std::string& out, std::uint64_t value);

}  // namespace retrial::results::inline json
