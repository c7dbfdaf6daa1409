#pragma once

#include <string>

#include "results/store.hpp"

namespace retrial::harness {

/// The argv that a trial of somebody's own program would start, as a line for a shell; empty for other workloads.
[[nodiscard]] std::string dry_argv(const results::PlanEntry& entry);

}  // namespace retrial::harness
