#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline scores::inline lines {

/// A name that many rows share, kept once in the names of their table.
class Name {
 public:
  Name() = default;
  explicit Name(const std::string& kept) : text_(&kept) {}

  operator const std::string&() const { return *text_; }
  [[nodiscard]] const std::string& text() const { return *text_; }
  [[nodiscard]] bool empty() const { return text_->empty(); }
  friend bool operator==(const Name& a, const Name& b) { return a.text_ == b.text_ || *a.text_ == *b.text_; }
  friend bool operator==(const Name& a, std::string_view b) { return *a.text_ == b; }

 private:
  static const std::string none_;
  const std::string* text_ = &none_;
};

/// One score of one run of another program.
struct ScoreRow {
  Name variant;
  std::optional<std::int64_t> pair;  ///< same number in two variants: shared seeds; absent: independent
  Name cluster;                      ///< group of dependent scores, e.g. of one process; empty: none
  Name task, metric;
  std::optional<double> score;  ///< absent: the run failed
  Name pair_label = {};         ///< pair as --columns reads it, before number_pair_labels
};

/// Scores of one table; one with more is refused with one line.
constexpr std::size_t max_scores = 2'000'000;
[[noreturn]] void refuse_many_scores(const std::string& where);

/// Every name of a table, once.
class Names {
 public:
  [[nodiscard]] Name of(std::string_view text);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> kept_;
};

struct MetricFacts {
  variance::Direction direction = variance::Direction::none;  ///< none: not in the file
  std::string unit;
};

/// Scores in the long form, one per row, and facts about their metrics. Variants are in the order of their first row,
/// so the first one is the baseline; tasks are sorted by name ("t2" before "t10"), so that the order of the rows does
/// not change random draws.
struct ScoreTable {
  std::string name;  ///< name of the file or files, for messages
  std::deque<ScoreRow> rows;
  std::shared_ptr<Names> names = std::make_shared<Names>();  ///< of the rows, also of copies
  std::map<std::string, MetricFacts> metrics;
  std::vector<std::string> notes;  ///< assumptions and omissions of the reader
  /// Missing scores whose meaning is not declared: "kd in line 3 (NA)". A line of the long form without a
  /// score is a failed run and is not listed here.
  std::vector<std::string> holes;
  /// Pairs are lines of columns: a column may end early, and an unpaired test gets no warning.
  std::map<std::string, std::int64_t> started;  ///< by cluster, ns since 1970: where a file says when its process began
  /// variant -> fact of the machine -> its values: what must be equal for times to be comparable
  std::map<std::string, std::map<std::string, std::set<std::string>>> machines;
  bool by_line = false;
  std::string unpaired = "the scores have no pair numbers";  ///< the reason, if rows have no pair numbers

  /// The name for a row of this table.
  [[nodiscard]] Name called(std::string_view text) { return names->of(text); }
  /// Error{usage} for a table of more than `max_scores`.
  void add(const ScoreRow& row);
  [[nodiscard]] std::vector<std::string> variants() const;
  [[nodiscard]] std::vector<std::string> tasks() const;
  [[nodiscard]] std::vector<std::string> metric_names() const;
};

/// "task-2" before "task-10": runs of digits are compared as numbers, then everything as bytes.
[[nodiscard]] bool by_number_and_name(const std::string& a, const std::string& b);

/// The header of the long form.
constexpr std::array<const char*, 6> score_columns{"variant", "pair", "cluster", "task", "metric", "score"};

/// CSV with the header variant,pair,cluster,task,metric,score; the readers of harness/scores/formats/formats.hpp
/// restore every bit. RFC 4180 quoting. Names are not escaped for spreadsheets, since a changed name is another
/// variant.
[[nodiscard]] std::string long_csv(const ScoreTable& table);

/// Pairs runs that have no pair numbers: run i of each variant (per task and metric, in row order) becomes pair i, and
/// process i of each variant becomes the cluster "process-i". Error{usage} for a table that already has pair numbers,
/// and for variants with different numbers of runs on one task.
void number_pairs(ScoreTable& table);

}  // namespace retrial::harness::inline scores::inline lines
