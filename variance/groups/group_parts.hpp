#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "variance/numbers/check.hpp"

/// For .cpp files only: what the tests of independent groups share.
namespace retrial::variance::inline groups {

inline void require_groups(std::span<const std::vector<double>> groups) {
  require_at_least("groups", std::ssize(groups), 2);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::string field = "groups[" + std::to_string(g) + "]";
    require_at_least(field.c_str(), std::ssize(groups[g]), 2);
    require_finite(field, groups[g]);
  }
}

/// The quadrature of the laws of the largest difference has about ten digits after the point: a smaller p is not
/// resolved, and none is 0.
inline constexpr double min_resolved_p = 1e-10;

inline double resolved_p(double p) {
  return std::clamp(p, min_resolved_p, 1.0);
}

/// A level so close to 1 that the quadrature may never reach it has no quantile.
inline void require_resolved_alpha(double alpha) {
  require_between("alpha", alpha, 10.0 * min_resolved_p, 0.5);
}

}  // namespace retrial::variance::inline groups
