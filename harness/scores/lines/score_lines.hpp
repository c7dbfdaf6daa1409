#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/data/formats/table_lines.hpp"

namespace retrial::harness::inline scores::inline lines {

/// The contents of a file, read once because it may be a pipe; "-" is standard input. Error{incomparable} when it
/// cannot be read, Error{usage} above 128 MiB.
[[nodiscard]] std::string score_text(const std::filesystem::path& path);

/// Header and lines of a CSV file of scores, whatever separates its fields (separators.hpp). Error{usage} when there is
/// no line after the header.
[[nodiscard]] data::TableLines score_lines(const std::filesystem::path& path, std::string_view text);

/// `text` with the letters A to Z in lower case, in every locale.
[[nodiscard]] std::string lower_case(std::string text);

/// A mistake in a file of scores, in a line (from 1) or in the file as a whole (0). Thrown as Error{usage}.
struct ScoreMistake {
  std::filesystem::path path;
  std::size_t line = 0;
  std::string field = {}, value = {}, problem = {}, allowed = {}, help = {};
};
[[noreturn]] void refuse_score(const ScoreMistake& mistake);

/// ScoreMistake for a line (numbered from 1) that has not the number of fields of the header.
void require_whole_line(const std::filesystem::path& path, const data::TableLines& lines, std::size_t line);

/// ScoreMistake for a metric whose largest score is too small to be judged (variance/samples/sample.hpp).
void require_judgeable(const std::filesystem::path& path, const std::string& metric, double largest);

/// ScoreMistake for a name (of a variant, task, metric, cluster) with characters that a terminal interprets.
void require_plain_name(const ScoreMistake& place, const std::string& name);

/// ScoreMistake for a score that is too large to be judged; `place.value` is its original text, if any.
void require_size(const ScoreMistake& place, double score);

/// True for an empty field and for the words by which programs write a missing number: nan, NA, N/A, None, null, -.
[[nodiscard]] bool is_missing(std::string_view text);

/// "kd in line 3 (NA)": the field that `place` names has no score.
[[nodiscard]] std::string hole_text(const ScoreMistake& place, std::string_view text);

/// The score in the field that `place` names. ScoreMistake for a text that is not a number, is not finite, or is too
/// large to be judged (variance/samples/sample.hpp).
[[nodiscard]] double score_from(const ScoreMistake& place, std::string_view text);

/// The number of a text that nobody has to be told about, which is nearly all: any other goes to score_from.
[[nodiscard]] std::optional<double> plain_score(std::string_view text);

}  // namespace retrial::harness::inline scores::inline lines
