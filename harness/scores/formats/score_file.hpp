#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace retrial::harness::inline scores::inline formats {

/// Scores of a CSV file: no database, no study.
struct ScoreFile {
  std::filesystem::path path;
  /// Header "group,score": a score a line, in any order. Else a column a variant and a line a pair (a data set).
  bool grouped = false;
  std::vector<std::string> names;           ///< of columns or groups, in the order of the file
  std::vector<std::vector<double>> scores;  ///< scores[name]; columns may end early, never have gaps
};

/// UTF-8, comma, decimal point; fields may stand in double quotes. Before two columns and more, a first column of
/// words, or one called dataset, data set, ds, task, seed, run, run_id, id, fold, pair or index, names the lines and is
/// no variant; words that stand where scores are missing (nan, NA, inf) make none. Error{usage} with file and line for
/// what is not a finite number, an empty cell, a line of another length, a name given twice, fewer than two variants.
/// `text` is the whole file.
[[nodiscard]] ScoreFile read_scores(const std::filesystem::path& path, const std::string& text);

}  // namespace retrial::harness::inline scores::inline formats
