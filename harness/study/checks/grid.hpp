#pragma once

#include "harness/study/checks/study.hpp"

namespace retrial::harness::inline study::inline checks {

/// Cells of a grid, at most.
inline constexpr std::size_t max_cells = 256;

/// The draft with its grid written out as variants: every combination of the values, the last key changing fastest,
/// named by them ("lr=0.1,width=8"). Several variants of the draft are each combined with the grid, their names in
/// front ("kd,lr=0.1"); a single one gives its keys and preset. A draft without a grid is returned as it is.
/// Error{study.grid} for values that cannot be in a name, equal values, keys given elsewhere too, and grids too small
/// or too large.
[[nodiscard]] StudyDraft with_grid_written_out(const workloads::Declaration& declaration, const StudyDraft& draft);

}  // namespace retrial::harness::inline study::inline checks
