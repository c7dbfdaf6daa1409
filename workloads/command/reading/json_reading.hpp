#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "results/json/json.hpp"

namespace retrial::workloads::command::inline reading {

/// The object in a JSON text; nothing for any other text. NaN, Infinity and -Infinity are accepted because Python
/// writes them.
[[nodiscard]] std::optional<Json> json_object(std::string_view text);

/// The member called `name`, or "eval.accuracy" for {"eval": {"accuracy": 0.9}}; null if it is absent.
[[nodiscard]] const Json* member_named(const Json& object, const std::string& name);

/// The number that a member is, NaN and infinities included.
[[nodiscard]] std::optional<double> number_of(const Json& member);

/// A number in a JSON text that no double can hold, as it is written there.
[[nodiscard]] std::optional<std::string> number_out_of_range(std::string_view text);

}  // namespace retrial::workloads::command::inline reading
