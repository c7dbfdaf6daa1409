#pragma once

#include <filesystem>
#include <string>

#include "results/json/json.hpp"

namespace retrial::harness::inline worker {

/// A run at a boundary: what was recorded, and the workload's own state. Written by temporary name and rename, with
/// a SHA-256 over everything; a damaged file is refused (Error{integrity}).
struct Checkpoint {
  std::string identity;
  Json recorded;
  std::string state;
};
void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);
[[nodiscard]] Checkpoint read_checkpoint(const std::filesystem::path& file);

}  // namespace retrial::harness::inline worker
