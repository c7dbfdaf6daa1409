#pragma once

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

/// JSON for programs to read (--json): as canonical(), but floating-point numbers are allowed and written in the
/// shortest form that reads back to the same bits; NaN and infinities become null. One final LF.
[[nodiscard]] std::string printed(const Json& document);

/// Parses untrusted text: duplicate keys, depth above 64, NaN literals, invalid UTF-8 and trailing bytes are
/// refused with Error{exit usage, where}.
[[nodiscard]] Json parse_json(std::string_view text, const std::string& where);

/// A value in the form of a canonical document: a double as its 16 hex digits.
[[nodiscard]] Json canonical_value(const Value& value);

/// Reads a value back; the alternative of `like` says how. Throws Error naming `field` when it does not fit.
[[nodiscard]] Value value_from_canonical(const Json& json, const Value& like, const std::string& field);

}  // namespace retrial::results::inline json
