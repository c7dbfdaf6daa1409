#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace retrial::rl::inline agents {

/// Advantages of one environment's steps by generalized advantage estimation (Schulman et al. 2016). ended[t]: the
/// episode ended on entering step t + 1; next_value: of the observation after the last step.
[[nodiscard]] std::vector<double> advantages(std::span<const double> rewards, std::span<const double> values,
                                             std::span<const bool> ended, double next_value, double gamma,
                                             double lambda);

/// Minus the mean, divided by the sample's standard deviation plus 1e-8; one value alone stays as it is.
[[nodiscard]] std::vector<double> normalised(std::span<const double> advantages);

/// 1 - Var(returns - values) / Var(returns), of populations; nothing if the returns do not vary.
[[nodiscard]] std::optional<double> explained_variance(std::span<const double> returns, std::span<const double> values);

/// Means over rows of how far the policy has moved from the one that acted.
struct Movement {
  double k1 = 0;             ///< -log ratio
  double k3 = 0;             ///< ratio - 1 - log ratio
  double clip_fraction = 0;  ///< |ratio - 1| > clip
};
[[nodiscard]] Movement movement(std::span<const double> log_ratios, double clip);

}  // namespace retrial::rl::inline agents
