#pragma once

#include <cstdint>
#include <string>

#include "results/json/json_fwd.hpp"
#include "results/report/drawing/numbers.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline text {

using report::counted, report::short_text;

/// Writes results::printed(document) to standard output: sorted keys, shortest doubles, one final LF.
void print_json(const Json& document);

/// The document of the part with `json`, else its section as plain text, to standard output.
void print_part(const report::Part& part, bool json);

/// The file that -o names. Written under another name and renamed: a reader sees the old one or the new one.
/// Error{measurement} when it cannot be written.
void write_output(const std::string& file, const std::string& bytes);

/// "retrial: note: ..." on standard error, which takes everything that is not a result.
void note(const std::string& text);
/// "retrial: warning: ..." on standard error.
void warn(const std::string& text);

/// Fixed notation: "5.02" of 5.0199 with two decimals.
[[nodiscard]] std::string fixed_text(double value, int decimals);
/// "12 ms", "3.4 s", "5 min 20 s", "2 h 05 min".
[[nodiscard]] std::string duration_text(double seconds);
/// "512 B", "1.5 MiB".
[[nodiscard]] std::string bytes_text(double bytes);
/// Nanoseconds since 1970 as "2021-04-03 12:00:00 UTC".
[[nodiscard]] std::string utc_text(std::int64_t ns);
/// Quoted for a shell if needed, so that a printed command can be copied.
[[nodiscard]] std::string shell_word(const std::string& text);

}  // namespace retrial::harness::inline text
