#pragma once

#include "harness/scores/formats/score_table.hpp"

namespace retrial::harness::inline scores::inline formats {

/// Makes pairs of runs that have no numbers: run i of a variant (of one task and metric, in the order of the rows)
/// becomes pair i, process i of a variant the cluster "process-i" of all. Error{usage} for a table that has numbers
/// already, and for variants with different numbers of runs on one task.
void number_pairs(ScoreTable& table);

}  // namespace retrial::harness::inline scores::inline formats
