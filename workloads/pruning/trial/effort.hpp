#pragma once

#include "workloads/interface/effort.hpp"

namespace retrial::pruning::inline trial {

/// The parent that a trial of these keys needs, its retrainings, and how long both take, from counts of images and of
/// multiplications alone: right to a factor of two or three. The keys must be valid;
/// `folder` is where a set is looked for that they give no folder.
[[nodiscard]] workloads::Effort effort_of(const Values& values, const std::filesystem::path& folder);

}  // namespace retrial::pruning::inline trial
