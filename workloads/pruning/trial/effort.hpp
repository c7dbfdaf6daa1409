#pragma once

#include "workloads/interface/effort.hpp"

namespace retrial::pruning::inline trial {

/// The parent and the retrainings of a trial with these keys, and the time of both, from counts of images and
/// multiplications only: correct within a factor of two or three. The keys must be valid; `folder` holds the set if
/// they name no folder.
[[nodiscard]] workloads::Effort effort_of(const Values& values, const std::filesystem::path& folder);

}  // namespace retrial::pruning::inline trial
