#pragma once

#include <vector>

#include "workloads/interface/contribution.hpp"

namespace retrial::pruning::inline trial {

/// Trainings of three steps of four digits each: every method, pipeline, shift and corruption that needs no file or
/// library, every augmentation of gray images, and the other choices once.
[[nodiscard]] std::vector<workloads::ShortTrial> short_trials();
/// Parents, before anything is pruned.
[[nodiscard]] std::vector<workloads::ShortTrial> trainings();

}  // namespace retrial::pruning::inline trial
