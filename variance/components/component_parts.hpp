#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "variance/components/components.hpp"

/// For .cpp files of variance components: intervals and shares.
namespace retrial::variance::inline components::component_parts {

struct MeanSquare {
  double value = 0.0, df = 0.0;
};

/// Point, interval and degrees of freedom from `raw` and the variance of its estimate (Satterthwaite 1946).
void set_interval(Component& component, double variance_of_estimate, double alpha);
void set_shares(std::span<Component* const> components);
/// (of - minus) / divisor.
[[nodiscard]] Component difference_of(std::string source, MeanSquare of, std::optional<MeanSquare> minus,
                                      double divisor, double alpha);

}  // namespace retrial::variance::inline components::component_parts
