#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/record/record.hpp"

namespace retrial::results::inline exchange {

/// retrial.jsonl/1, lossless: one canonical JSON document per line. First {"format":"retrial.jsonl/1"}, then
///   {"t":"document","kind",...,"body":{...}}
///   {"t":"trial", the record body, "record":hex, "delta":manifest delta or null,
///    "chunks":[[name,chunk,hex]], "bodies":[[name,hex]]}          after the document of its environment
///   {"t":"event", the event body}
/// and last {"t":"end","records":N,"store":hex}, N and digest of the trials of this file.
[[nodiscard]] std::string jsonl_text(std::span<const TrialRecord> records, std::span<const Event> events);

struct JsonlContent {
  std::vector<std::pair<std::string, Json>> documents;  ///< kind, body
  std::vector<TrialRecord> records;
  std::vector<Event> events;
};

/// Reads it back and recomputes every record digest. `find` is called for environments that are not in the file.
/// Error{integrity} with `where` and the line if it is not such a file, complete with its end line.
[[nodiscard]] JsonlContent read_jsonl(std::string_view text, const std::string& where,
                                      const std::function<std::optional<Json>(const Digest&)>& find);

}  // namespace retrial::results::inline exchange
