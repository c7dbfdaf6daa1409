#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workloads/data/formats/table_lines.hpp"

namespace retrial::harness::inline scores::inline formats {

/// All of a file, read once, since it may be a pipe; "-" is the standard input. Error{incomparable} when it cannot be
/// read, Error{usage} above 1 GiB.
[[nodiscard]] std::string score_text(const std::filesystem::path& path);

/// Header and lines of a CSV file of scores. Error{usage} when no line follows the header.
[[nodiscard]] std::vector<data::TableLine> score_lines(const std::filesystem::path& path, const std::string& text);

/// A mistake in a file of scores, at a line from 1, or (0) of the file as a whole: Error{usage}.
struct ScoreMistake {
  std::filesystem::path path;
  std::size_t line = 0;
  std::string field = {}, value = {}, problem = {}, allowed = {}, help = {};
};
[[noreturn]] void refuse_score(const ScoreMistake& mistake);

/// ScoreMistake for scores of one metric that are all too small to be judged (variance/sample.hpp).
void require_judgeable(const std::filesystem::path& path, const std::string& metric,
                       const std::vector<std::vector<double>>& scores);

/// ScoreMistake for a name (of a variant, task, metric, cluster) with characters that a terminal acts upon.
void require_plain_name(const ScoreMistake& place, const std::string& name);

/// ScoreMistake for a score larger than what can be judged; `place.value` is how it was written, if it was.
void require_size(const ScoreMistake& place, double score);

/// The score that stands in a field, which `place` names. ScoreMistake for a text that is no number, is not finite, or
/// is larger than what can be judged (variance/sample.hpp).
[[nodiscard]] double score_from(const ScoreMistake& place, const std::string& text);

}  // namespace retrial::harness::inline scores::inline formats
