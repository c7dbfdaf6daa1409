#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace retrial::workloads::command::inline reading {

/// One value of a metric in JSON lines.
struct JsonValue {
  std::size_t line = 1;
  std::optional<double> number;  ///< absent if the member is no number
  bool has_step = false;         ///< the object has a member `step` or, without it, `epoch`
  std::optional<double> step;    ///< absent if that is no number
};

/// Values of the requested metrics in JSON lines, in order.
struct JsonValues {
  std::map<std::string, std::vector<JsonValue>> of;
  bool any = false;                  ///< a JSON object is there
  std::vector<std::string> numbers;  ///< names of the first numbers that are there, for messages
};

/// Reads every line of an output that is a JSON object; skips other lines. Throws TrialFailure command.bad_json for
/// a number that no double can hold.
[[nodiscard]] JsonValues values_in_output(std::string_view output, const std::vector<std::string>& names);

/// Reads a file that is one JSON object, or one in every line. Throws TrialFailure command.bad_json for any
/// other.
[[nodiscard]] JsonValues values_in_file(std::string_view text, const std::string& file,
                                        const std::vector<std::string>& names);

}  // namespace retrial::workloads::command::inline reading
