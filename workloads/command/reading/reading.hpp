#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/record.hpp"
#include "workloads/command/reading/printed_value.hpp"

namespace retrial::workloads::command::inline reading {

/// One --read: the name of a metric and, optionally, whether higher or lower is better ("loss:lower") and the pattern
/// that finds it ("loss~final loss is ([0-9.e-]+)").
struct Read {
  std::string name;
  std::optional<std::string> pattern;
  results::Direction direction = results::Direction::none;
  const char* option = "--read";  ///< for messages
};

/// The lines of the key `read` or `read_curve`. The name ends at the first '~', without a direction at its end; any
/// other colon belongs to the name.
[[nodiscard]] std::vector<Read> reads_of(const std::string& text, const char* option = "--read");

/// Mistakes in the reads: a bad pattern, not exactly one capture, a misspelled direction, a name that is empty, longer
/// than a store keeps, repeated or reserved for a cost (wall_s, cpu_s, peak_rss_mib, instructions).
[[nodiscard]] std::vector<std::string> problems_of(const std::vector<Read>& reads);

/// One occurrence of a metric in the output.
struct Match {
  std::size_t at = 0;     ///< in the output
  std::string_view text;  ///< text found there: the capture of a pattern, else the rest of the line
  PrintedValue value;
};

/// Every place where `name` and at least one of = : " ' and blanks precede a value, in order. Words end where a
/// reader would say so: neither val_accuracy nor val/accuracy contains the word accuracy. Words after blanks alone are
/// prose ("accuracy improved"), after = or : they count.
[[nodiscard]] std::vector<Match> matches_of_word(std::string_view output, const std::string& name);

/// The captures of every match of a pattern (RE2, ^ and $ at lines), in order.
[[nodiscard]] std::vector<Match> matches_of_pattern(std::string_view output, const std::string& pattern);

/// One or the other.
[[nodiscard]] std::vector<Match> matches_of(std::string_view output, const Read& read);

/// The last value of a metric in the output; of a word, the last that is not words. Nothing if it does not occur.
/// Throws TrialFailure("command.no_metric"), with the line, where it is not one number.
[[nodiscard]] std::optional<double> last_value(std::string_view output, const Read& read);

/// The problem of a match without a value, with its line.
[[nodiscard]] std::string problem_of(const Match& match, const Read& read, std::string_view output);

/// Number of the line that holds this place, from 1, and the line.
struct Line {
  std::size_t number = 1;
  std::string_view text;
};
[[nodiscard]] Line line_at(std::string_view output, std::size_t at);

/// ", though this line holds the word: "acc -> 0.9"": the last line that does, in any case of its letters; empty if
/// none does.
[[nodiscard]] std::string line_with_word(std::string_view output, const std::string& name);

/// The text with every match of a pattern (RE2) replaced.
[[nodiscard]] std::string replaced(std::string text, const std::string& pattern, const std::string& with);

/// The reason why the pattern of a read cannot be used; empty if it can.
[[nodiscard]] std::string pattern_problem(const std::string& pattern);

}  // namespace retrial::workloads::command::inline reading
