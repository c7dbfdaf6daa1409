#pragma once

#include <vector>

#include "workloads/interface/contribution.hpp"

namespace retrial::distillation::inline trial {

/// Three steps of four digits each: every method in every mode, every family of networks that takes images of 8x8,
/// every augmentation of gray images, and the other choices once.
[[nodiscard]] std::vector<workloads::ShortTrial> short_trials();
/// Students without a teacher, and one with a teacher.
[[nodiscard]] std::vector<workloads::ShortTrial> trainings();

}  // namespace retrial::distillation::inline trial
