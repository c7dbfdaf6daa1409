#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace retrial::harness {

/// Scores of a CSV file: no database, no study.
struct ScoreFile {
  std::filesystem::path path;
  /// Header "group,score": a score a line, in any order. Else a column a variant and a line a pair (a data set).
  bool grouped = false;
  std::vector<std::string> names;           ///< of columns or groups, in the order of the file
  std::vector<std::vector<double>> scores;  ///< scores[name]; columns may end early, never have gaps
};

/// UTF-8, comma, decimal point; fields may stand in double quotes. A first column of words names the lines and is no
/// variant. Error{usage} with file and line for what is not a finite number, an empty cell, a line of another length,
/// a name given twice, fewer than two variants; Error{incomparable} when there is no such file.
[[nodiscard]] ScoreFile read_scores(const std::filesystem::path& path);

}  // namespace retrial::harness
