#pragma once

#include <optional>
#include <string>
#include <vector>

namespace retrial::harness::inline judge::inline leaderboard {

/// A key of a grid with its values. Without a name: the part in front, which a grid of several variants has.
struct Factor {
  std::string name;
  std::vector<std::string> levels;

  [[nodiscard]] std::string title() const { return name.empty() ? "variant" : name; }
};
/// Two or more factors, and the variant of every combination, the last factor changing fastest.
struct NamedGrid {
  std::vector<Factor> factors;
  std::vector<std::string> variants;
};

/// The grid that names such as "lr=0.1,width=8" or "kd,lr=0.1" form; nothing unless every combination is there once.
/// The levels of `reference` come first, the others in their order of appearance.
[[nodiscard]] std::optional<NamedGrid> grid_of_names(const std::vector<std::string>& names,
                                                     const std::string& reference);
/// "lr (0.1, 0.01) x width (8, 16)".
[[nodiscard]] std::string grid_text(const NamedGrid& grid);

}  // namespace retrial::harness::inline judge::inline leaderboard
