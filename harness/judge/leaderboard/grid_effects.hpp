#pragma once

#include "harness/judge/leaderboard/grid_names.hpp"
#include "harness/judge/leaderboard/leaderboard.hpp"
#include "variance/many/main_effects.hpp"

namespace retrial::harness::inline judge::inline leaderboard {

/// The main effects of a study whose variants are a full grid. Pairs in which a run of any variant has no finite score
/// are left out, so that every average is over the same runs.
struct GridEffects {
  NamedGrid grid;
  std::vector<variance::MainEffect> effects;
  std::int64_t pairs = 0, left_out = 0;
};

/// Nothing if the names form no grid, a variant is left out of the leaderboard, or fewer than two pairs remain.
[[nodiscard]] std::optional<GridEffects> effects_of(const Leaderboard& board);

}  // namespace retrial::harness::inline judge::inline leaderboard
