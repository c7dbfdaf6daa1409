#include "harness/judge/leaderboard/grid_effects.hpp"

#include <algorithm>
#include <cmath>

namespace retrial::harness::inline judge::inline leaderboard {
namespace {

using Scores = std::vector<std::optional<double>>;

/// The scores of each variant in the pairs of which every variant has one.
std::vector<std::vector<double>> common_scores(const std::vector<const Scores*>& all) {
  std::vector<std::vector<double>> out(all.size());
  for (std::size_t pair = 0; pair < all.front()->size(); ++pair) {
    const auto has = [&](const Scores* scores) { return (*scores)[pair] && std::isfinite(*(*scores)[pair]); };
    if (!std::ranges::all_of(all, has)) continue;
    for (std::size_t v = 0; v < all.size(); ++v) out[v].push_back(*(*all[v])[pair]);
  }
  return out;
}

}  // namespace

std::optional<GridEffects> effects_of(const Leaderboard& board) {
  if (!board.left_out.empty()) return {};
  std::vector<std::string> names{board.reference};
  for (const auto& member : board.members) names.push_back(member.variant);
  auto grid = grid_of_names(names, board.reference);
  if (!grid) return {};
  std::vector<const Scores*> all;
  for (const auto& variant : grid->variants) {
    all.push_back(&board.scores.at(variant));
    if (all.back()->size() != all.front()->size()) return {};
  }
  const auto cells = common_scores(all);
  if (cells.front().size() < 2) return {};
  std::vector<std::size_t> levels;
  for (const auto& factor : grid->factors) levels.push_back(factor.levels.size());
  return GridEffects{.grid = std::move(*grid),
                     .effects = variance::main_effects(levels, cells, board.alpha),
                     .pairs = std::ssize(cells.front()),
                     .left_out = std::ssize(*all.front()) - std::ssize(cells.front())};
}

}  // namespace retrial::harness::inline judge::inline leaderboard
