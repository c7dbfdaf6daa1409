#pragma once

#include "harness/scores/formats/formats.hpp"
#include "results/json/json_fwd.hpp"

namespace retrial::harness::inline scores::inline formats {

/// The document of a file; Error{usage} with the file's name if it is not JSON, is not an object, or lacks the list
/// `list`.
[[nodiscard]] Json json_of_file(const ScoreInput& input, const char* list);

/// Throws Error{usage} at `place` of the file: "benchmarks[3].real_time".
[[noreturn]] void refuse_json(const ScoreInput& input, const std::string& place, const Json& value,
                              const std::string& problem);

/// A field of an object by type; refuse_json when it is absent or of another type.
[[nodiscard]] double number_field(const ScoreInput& input, const Json& object, const std::string& place,
                                  const char* key);
[[nodiscard]] std::string text_field(const ScoreInput& input, const Json& object, const std::string& place,
                                     const char* key);

/// Notes the time of "2026-11-22T04:21:11.5+00:00" as the start of the process; nothing for a text of another form.
void note_start(ScoreTable& table, const std::string& process, const Json& time);
/// Notes a fact of the machine, where the object has it.
void note_machine(ScoreTable& table, const std::string& variant, const Json& object, const char* key);

}  // namespace retrial::harness::inline scores::inline formats
