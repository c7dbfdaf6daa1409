#pragma once

#include <string_view>

namespace retrial::variance::inline samples {

/// What a recorded score says of the true one: it is the score, or a bound of it. A search that stops at the end of its
/// grid, or a run that stops before it reaches its target, leaves a bound.
enum class ScoreBound { exact, at_least, at_most };

/// "", "at least", "at most".
[[nodiscard]] constexpr std::string_view name_of(ScoreBound bound) {
  return bound == ScoreBound::exact ? "" : bound == ScoreBound::at_least ? "at least" : "at most";
}

}  // namespace retrial::variance::inline samples
