#pragma once

#include <filesystem>
#include <string>

#include "results/json/json.hpp"

namespace retrial::harness::inline worker {

/// A run at a boundary: the records so far and the workload's own state. Written under a random name and renamed, with
/// a SHA-256 over everything; a damaged file is rejected (Error{integrity}).
struct Checkpoint {
  std::string identity;  ///< of the trial; of a kept state, of everything that it depends on
  Json recorded;
  std::string state;
};
void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);
[[nodiscard]] Checkpoint read_checkpoint(const std::filesystem::path& file);

}  // namespace retrial::harness::inline worker
