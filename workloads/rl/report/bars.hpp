#pragma once

#include <optional>
#include <string>

namespace retrial::rl {

/// The return that rl-baselines3-zoo publishes for its tuned settings: one training, without draws, over 150,000 steps
/// of evaluation. Nothing for an empty cell, and for the cells with state-dependent exploration, which is not built.
[[nodiscard]] std::optional<double> published_return(const std::string& algorithm, const std::string& environment);

/// What a training with those settings should reach: the published return less a tenth of its lead over random actions.
[[nodiscard]] std::optional<double> bar_of(const std::string& algorithm, const std::string& environment);

}  // namespace retrial::rl
