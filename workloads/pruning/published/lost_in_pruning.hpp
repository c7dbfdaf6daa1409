#pragma once

#include "workloads/published/table.hpp"

namespace retrial::pruning {

/// Liebenwein et al. 2021, and the table of Torch-Pruning (lost_in_pruning.json).
[[nodiscard]] published::Table lost_in_pruning();

}  // namespace retrial::pruning
