#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace retrial::workloads::command::inline reading {

/// One --read: the name of a metric and, optionally, the pattern that finds it ("loss~final loss is ([0-9.e-]+)").
struct Read {
  std::string name;
  std::optional<std::string> pattern;
};

/// The lines of the key `read`. The name ends at the first '~'.
[[nodiscard]] std::vector<Read> reads_of(const std::string& text);

/// Mistakes in the reads: a bad pattern, not exactly one capture, a name that is empty, repeated or reserved for a cost
/// (wall_s, cpu_s, peak_rss_mib).
[[nodiscard]] std::vector<std::string> problems_of(const std::vector<Read>& reads);

/// The last number that follows the word `name` and at least one of = : " ' and blanks, on one line. Words end where a
/// reader would say so: neither val_accuracy nor val/accuracy contains the word accuracy.
[[nodiscard]] std::optional<double> last_number_after(std::string_view output, const std::string& name);

/// The capture of the last match (RE2, ^ and $ at lines), which must be a number and nothing else. Throws
/// TrialFailure("command.no_metric") for any other text; nothing without a match.
[[nodiscard]] std::optional<double> last_match(std::string_view output, const Read& read);

/// The text with every match of a pattern (RE2) replaced.
[[nodiscard]] std::string replaced(std::string text, const std::string& pattern, const std::string& with);

/// The reason why the pattern of a read cannot be used; empty if it can.
[[nodiscard]] std::string pattern_problem(const std::string& pattern);

}  // namespace retrial::workloads::command::inline reading
