#pragma once

#include "harness/scores/formats/score_table.hpp"

namespace retrial::harness::inline scores::inline formats {

/// Pairs runs that have no pair numbers: run i of each variant (per task and metric, in row order) becomes pair i, and
/// process i of each variant becomes the cluster "process-i". Error{usage} for a table that already has pair numbers,
/// and for variants with different numbers of runs on one task.
void number_pairs(ScoreTable& table);

}  // namespace retrial::harness::inline scores::inline formats
