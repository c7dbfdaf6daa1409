#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "results/json/json.hpp"

namespace retrial::workloads::command::inline reading {

/// The object in a JSON text; nothing for any other text. NaN, Infinity and -Infinity are accepted because Python
/// writes them.
[[nodiscard]] std::optional<Json> json_object(std::string_view text);

/// The last line of the output that is a JSON object.
[[nodiscard]] std::optional<Json> last_json_line(std::string_view output);

/// The number called `name`: a member of that name, or "eval.accuracy" for {"eval": {"accuracy": 0.9}}.
[[nodiscard]] std::optional<double> number_named(const Json& object, const std::string& name);

}  // namespace retrial::workloads::command::inline reading
