#include <algorithm>
#include <limits>
#include <vector>

#include "results/text/text.hpp"

namespace retrial::results::inline text {
namespace {

constexpr std::size_t max_distance = 2;  // beyond two slips a suggestion is a guess

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbors cost one each
// (Damerau 1964; Levenshtein 1966).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = max_distance + 1;
  for (const std::string& candidate : candidates) {
    const auto [shorter, longer] = std::minmax({name.size(), candidate.size()});
    if (longer - shorter > max_distance) continue;
    const std::size_t distance = edit_distance(name, candidate);
    // Two slips in three letters leave nothing of the name: "pdf" is not a mistyped "md".
    if (distance < best_distance && 2 * distance <= longer) best_distance = distance, best = candidate;
  }
  return best;
}

}  // namespace retrial::results::inline text
