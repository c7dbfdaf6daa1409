#include "variance/many/main_effects.hpp"

#include <algorithm>
#include <string>

#include "variance/numbers/check.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline many {
namespace {

using Cells = std::span<const std::vector<double>>;

void require_grid(std::span<const std::size_t> levels, Cells cells) {
  require_at_least("levels", static_cast<std::int64_t>(levels.size()), 1);
  std::size_t combinations = 1;
  for (const std::size_t count : levels) {
    require_at_least("levels", static_cast<std::int64_t>(count), 2);
    combinations *= count;
  }
  if (cells.size() != combinations)
    throw InvalidInput("cells", std::to_string(cells.size()), std::to_string(combinations) + ", one per combination");
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::string field = "cells[" + std::to_string(c) + "]";
    require_finite(field, cells[c]);
    if (cells[c].size() != cells[0].size())
      throw InvalidInput(field, std::to_string(cells[c].size()) + " scores", "as many as cells[0]");
  }
}

/// Two cells that differ in one factor alone.
struct CellPair {
  std::size_t at, first;
};

std::vector<CellPair> cell_pairs(std::span<const std::size_t> levels, std::size_t factor, std::size_t level) {
  std::size_t above = 1, below = 1;  // combinations of the factors before this one, and after it
  for (std::size_t f = 0; f < factor; ++f) above *= levels[f];
  for (std::size_t f = factor + 1; f < levels.size(); ++f) below *= levels[f];
  std::vector<CellPair> out;
  for (std::size_t outer = 0; outer < above; ++outer)
    for (std::size_t inner = 0; inner < below; ++inner) {
      const std::size_t first = outer * levels[factor] * below + inner;
      out.push_back({first + level * below, first});
    }
  return out;
}

std::vector<double> averaged(Cells cells, const std::vector<CellPair>& pairs) {
  std::vector<double> out(cells[0].size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const auto& [at, first] : pairs) out[i] += cells[at][i] - cells[first][i];
    out[i] /= static_cast<double>(pairs.size());
  }
  return out;
}

}  // namespace

std::vector<MainEffect> main_effects(std::span<const std::size_t> levels, Cells cells, double alpha) {
  require_grid(levels, cells);
  std::vector<MainEffect> out;
  std::vector<std::vector<double>> differences;
  for (std::size_t factor = 0; factor < levels.size(); ++factor)
    for (std::size_t level = 1; level < levels[factor]; ++level) {
      const auto pairs = cell_pairs(levels, factor, level);
      std::vector<double> single;
      for (const auto& pair : pairs) single.push_back(mean(averaged(cells, {pair})).value_or(0));
      const auto [least, largest] = std::ranges::minmax(single);
      out.push_back({.factor = factor, .level = level, .difference = {}, .least = least, .largest = largest});
      differences.push_back(averaged(cells, pairs));
    }
  auto joint = joint_differences(differences, alpha);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].difference = std::move(joint[i]);
  return out;
}

}  // namespace retrial::variance::inline many
