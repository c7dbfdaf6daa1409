#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workloads/data/table_lines.hpp"

namespace retrial::harness {

/// Header and lines of a CSV file of scores. Error{incomparable} when it cannot be read, Error{usage} when no line
/// follows the header.
[[nodiscard]] std::vector<data::TableLine> score_lines(const std::filesystem::path& path);

/// A mistake in a file of scores, at a line from 1, or (0) of the file as a whole: Error{usage}.
struct ScoreMistake {
  std::filesystem::path path;
  std::size_t line = 0;
  std::string field = {}, value = {}, problem = {}, allowed = {}, help = {};
};
[[noreturn]] void refuse_score(const ScoreMistake& mistake);

}  // namespace retrial::harness
