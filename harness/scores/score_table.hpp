#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "variance/verdict.hpp"

namespace retrial::harness {

/// One score of one run, as somebody else's program left it.
struct ScoreRow {
  std::string variant;
  std::optional<std::int64_t> pair;  ///< runs of two variants with one number share their seeds; absent: independent
  std::string cluster;               ///< what several scores have in common, e.g. one process; empty: nothing
  std::string task, metric;
  std::optional<double> score;  ///< absent: the run failed
};

struct MetricFacts {
  variance::Direction direction = variance::Direction::none;  ///< none: the file does not say
  std::string unit;
};

/// Scores in the long form, one a row, and what is known of them. Variants in the order of their first row, which makes
/// the first one the baseline; tasks by name ("t2" before "t10"), so that the order of the rows changes no draw.
struct ScoreTable {
  std::string name;  ///< of the file or files, for messages
  std::vector<ScoreRow> rows;
  std::map<std::string, MetricFacts> metrics;
  std::vector<std::string> notes;  ///< what was assumed or left out on the way in
  /// The pairs are lines of columns: a column may end early, and a test without pairs is no oversight.
  bool by_line = false;
  std::string unpaired = "the scores have no pair numbers";  ///< why not, where rows have none

  [[nodiscard]] std::vector<std::string> variants() const;
  [[nodiscard]] std::vector<std::string> tasks() const;
  [[nodiscard]] std::vector<std::string> metric_names() const;
};

/// "task-2" before "task-10": runs of digits are compared as numbers, then everything as bytes.
[[nodiscard]] bool by_number_and_name(const std::string& a, const std::string& b);

/// The header of the long form.
constexpr std::array<const char*, 6> score_columns{"variant", "pair", "cluster", "task", "metric", "score"};

/// CSV with the header variant,pair,cluster,task,metric,score, to the bit what the readers of
/// harness/scores/formats.hpp read again (RFC 4180 quoting; names are not altered against spreadsheets, since an
/// altered name is another variant).
[[nodiscard]] std::string long_csv(const ScoreTable& table);

}  // namespace retrial::harness
