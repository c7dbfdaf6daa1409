#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Published tables computed again: our value beside the reference, with what was wrong in the original named. Every
/// reference is a constant of the publication, of another program's tests or of an independent computation; none of
/// them was printed by these functions.
namespace retrial::variance::inline reproduce {

/// One line of a reproduction: one number, or a list compared number by number.
struct ReproducedLine {
  std::string what;
  std::vector<double> value, reference;
  double tolerance = 0.0;  ///< absolute; 0: the same numbers
  /// As many numbers, each within the tolerance.
  [[nodiscard]] bool ok() const;
};
struct Reproduced {
  std::vector<ReproducedLine> lines;
  std::vector<std::string> corrections;  ///< sentences: what the original has, and what is right
};
[[nodiscard]] bool agrees(const Reproduced& table);

struct Reproduction {
  std::string_view name, title, source;
  Reproduced (*run)() = nullptr;
};
/// bouthillier, demsar, rliable, confseq, tigerbeetle.
[[nodiscard]] std::span<const Reproduction> all_reproductions();
/// Nothing for a name that is not in the table.
[[nodiscard]] const Reproduction* find_reproduction(std::string_view name);

}  // namespace retrial::variance::inline reproduce
