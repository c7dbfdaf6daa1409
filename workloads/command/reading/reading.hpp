#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace retrial::workloads::command::inline reading {

/// One --read: a metric's name, and perhaps the pattern that finds it ("loss~final loss is ([0-9.e-]+)").
struct Read {
  std::string name;
  std::optional<std::string> pattern;
};

/// The lines of the key `read`. The name stands before the first '~'.
[[nodiscard]] std::vector<Read> reads_of(const std::string& text);

/// What is wrong with the reads: a bad pattern, none or several captures, a name that is empty, given twice or kept
/// for a cost (wall_s, cpu_s, peak_rss_mib).
[[nodiscard]] std::vector<std::string> problems_of(const std::vector<Read>& reads);

/// The last number that follows the word `name` and at least one of = : " ' and blanks, on one line. A word begins
/// and ends where a person would say so: neither in val_accuracy nor in val/accuracy stands the word accuracy.
[[nodiscard]] std::optional<double> last_number_after(std::string_view output, const std::string& name);

/// The capture of the last match (RE2, ^ and $ at lines), which must be a number and nothing else. Throws
/// TrialFailure("command.no_metric") when it is something else; nothing when there is no match.
[[nodiscard]] std::optional<double> last_match(std::string_view output, const Read& read);

/// Empty, or why the pattern of a read cannot be used.
[[nodiscard]] std::string pattern_problem(const std::string& pattern);

}  // namespace retrial::workloads::command::inline reading
