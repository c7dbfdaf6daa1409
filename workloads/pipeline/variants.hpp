#pragma once

#include <vector>

#include "workloads/interface/declaration.hpp"

namespace retrial::pipeline {

/// The published methods as presets; the first is the baseline.
[[nodiscard]] std::vector<workloads::Variant> variants();
/// Short runs that together use every choice.
[[nodiscard]] std::vector<workloads::ShortTrial> short_trials();
/// Networks on LibTorch: the native layers are the same under every kernel mode.
[[nodiscard]] std::vector<workloads::ShortTrial> trainings();

}  // namespace retrial::pipeline
