#pragma once

#include "workloads/published/table.hpp"

namespace retrial::prune {

/// Liebenwein et al. 2021, and the table of Torch-Pruning.
[[nodiscard]] published::Table lost_in_pruning();

}  // namespace retrial::prune
