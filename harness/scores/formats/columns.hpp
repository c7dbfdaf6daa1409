#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scores/lines/score_lines.hpp"
#include "harness/scores/lines/score_table.hpp"
#include "workloads/data/formats/table_lines.hpp"

namespace retrial::harness::inline scores::inline formats {

struct ScoreInput;

/// --columns: the column of a CSV file for each role, in the order of score_columns.
struct ColumnRoles {
  std::array<std::optional<std::string>, score_columns.size()> names;
  /// Further columns of scores: then every column of scores is a variant of its name.
  std::vector<std::string> more_scores = {};

  [[nodiscard]] bool empty() const;
  /// "variant=model,pair=seed,score=acc", "pair=seed,score=base,score=kd": what roles_from reads.
  [[nodiscard]] std::string text() const;
};

/// Places of the roles in `names` of ColumnRoles.
enum ScoreRole : std::size_t { variant_role, pair_role, cluster_role, task_role, metric_role, score_role };

/// ROLE=COLUMN, separated by commas; a part with a comma in its name is quoted as in CSV. Error{usage} for an unknown
/// role, a role given twice (but score) or without a column, and for a text without the role score.
[[nodiscard]] ColumnRoles roles_from(const std::string& text);

/// Reads the columns that `input.roles` names. Pairs are any texts, numbered by number_pair_labels. Error{usage} for a
/// column that the file does not have, and for lines that are not one per run.
void read_named_columns(const ScoreInput& input, ScoreTable& table);

/// Pair numbers for the rows with a pair label: the labels themselves where all are integers from 0, else their places
/// in the order of their names. The same label is the same pair in all files.
void number_pair_labels(ScoreTable& table);

/// Names that no variant has, in whatever spelling: seed, fold, lr, epoch, step, run, id, pair, metrics, roles.
[[nodiscard]] bool names_no_variant(const std::string& column);
/// Names of lines among these: seed, fold, run, pair, id.
[[nodiscard]] bool names_line(const std::string& column);
/// Names of keys among these: lr, batch_size, dropout. Such a column may be a variant, or hold the variants.
[[nodiscard]] bool names_key(const std::string& column);
/// Names of time: step, epoch, wall time. Lines that differ in them are lines of one run.
[[nodiscard]] bool names_time(const std::string& column);
/// Names of the column that says who is compared: variant, model, method.
[[nodiscard]] bool names_variants(const std::string& column);
/// A text that was meant as a score: it begins with a digit, a sign or a point, or is a word for "not a number".
[[nodiscard]] bool meant_as_score(std::string_view text);
/// A column of words: some fields are not empty, and none was meant as a score.
[[nodiscard]] bool holds_words(const data::TableLines& lines, std::size_t place);
/// True when two lines have the same text in this column.
[[nodiscard]] bool repeats(const data::TableLines& lines, std::size_t place);

/// The first column labels the lines: if at least two columns follow, and it has no name, a name like seed or dataset,
/// or contains words and nothing that could be a score.
[[nodiscard]] bool has_labels(const data::TableLines& lines);
/// Error{usage} for a table whose columns are not surely one per variant: one has another meaning by its name or by its
/// numbers, or is text, or several lines have the same label. The error has the --columns that read the file.
void require_variants(const ScoreInput& input, const data::TableLines& lines);

/// Names of lines that sum up others: mean, std, total, 25%.
[[nodiscard]] bool sums_up_lines(const std::string& name);
/// ScoreMistake for such a name.
void refuse_summary(ScoreMistake place, const std::string& name);

/// The next step for a table whose columns have to be named: the --columns that read it, tried out, or its columns.
/// `refused`: the column that may be no variant, where the others may be.
[[nodiscard]] std::string columns_help(const ScoreInput& input, const data::TableLines& lines,
                                       std::optional<std::size_t> refused = {});
/// Only the --columns that read a table with one run per line; empty where it is none.
[[nodiscard]] std::string run_per_line_help(const ScoreInput& input, const data::TableLines& lines);

}  // namespace retrial::harness::inline scores::inline formats
