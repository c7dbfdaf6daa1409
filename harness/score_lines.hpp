#pragma once

#include <filesystem>
#include <vector>

#include "workloads/data/table_lines.hpp"

namespace retrial::harness {

/// Header and lines of a CSV file of scores. Error{incomparable} when it cannot be read, Error{usage} when no line
/// follows the header.
[[nodiscard]] std::vector<data::TableLine> score_lines(const std::filesystem::path& path);

}  // namespace retrial::harness
