#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Published tables computed again: our value next to the reference, with corrections of errors in the original. Every
/// reference comes from the publication, another program's tests or an independent computation; none was printed by
/// these functions.
namespace retrial::variance::inline reproduce {

/// One line of a reproduction: one number, or a list compared number by number.
struct ReproducedLine {
  std::string what;
  std::vector<double> value, reference;
  double tolerance = 0.0;  ///< absolute; 0: identical numbers
  /// True if there are as many numbers, each within the tolerance.
  [[nodiscard]] bool ok() const;
};
struct Reproduced {
  std::vector<ReproducedLine> lines;
  std::vector<std::string> corrections;  ///< sentences: the error in the original, and the correction
};
[[nodiscard]] bool agrees(const Reproduced& table);

struct Reproduction {
  std::string_view name, title, source;
  Reproduced (*run)() = nullptr;
};
/// Adds a table of another folder when constructed at namespace scope.
struct RegisterReproduction {
  explicit RegisterReproduction(const Reproduction& row);
};
/// bouthillier, demsar, rliable, confseq, tigerbeetle, and those that are registered.
[[nodiscard]] std::span<const Reproduction> all_reproductions();
/// Null for a name that is not in the table.
[[nodiscard]] const Reproduction* find_reproduction(std::string_view name);

}  // namespace retrial::variance::inline reproduce
