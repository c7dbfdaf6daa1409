#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "results/json/json_fwd.hpp"
#include "results/text/value.hpp"

namespace retrial::results::inline json {

/// Canonical JSON (the bytes that are hashed): UTF-8, no white space, keys in byte order, `"` `\` and bytes
/// below 0x20 escaped (\u00xx, lower case), integers in decimal. A floating-point number, invalid UTF-8 or a depth
/// above 64 throws Error: doubles enter canonical documents as hex_of_bits text.
[[nodiscard]] std::string canonical(const Json& document);

/// JSON for programs (--json): as canonical(), but floating-point numbers are allowed, in the shortest form that reads
/// back to the same bits; NaN and infinities become null. Ends with one LF.
[[nodiscard]] std::string printed(const Json& document);

/// Parses untrusted text: duplicate keys, depth above 64, NaN literals, invalid UTF-8 and trailing bytes are rejected
/// with Error{exit usage, where}.
[[nodiscard]] Json parse_json(std::string_view text, const std::string& where);

/// A value in the form of a canonical document: a double as its 16 hex digits.
[[nodiscard]] Json canonical_value(const Value& value);

/// A document in the form that a store keeps and digests: each floating-point number as the 16 hex digits of its bits.
[[nodiscard]] Json stored_form(const Json& document);

/// Reads a value back, with the type of `like`. Throws Error naming `field` if the types do not match.
[[nodiscard]] Value value_from_canonical(const Json& json, const Value& like, const std::string& field);

/// Pieces of canonical JSON, for documents that are written without being built in memory first.
void append_string(std::string& out, std::string_view text);  ///< throws Error for invalid UTF-8
void append_integer(std::string& out, std::int64_t value);
void append_integer(std::string& out, std::uint64_t value);

}  // namespace retrial::results::inline json
