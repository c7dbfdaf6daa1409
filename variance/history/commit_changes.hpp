#pragma once

#include <span>
#include <vector>

/// The display of a series of commits: which of its steps stand out among the steps themselves (the rule and the
/// constants of rustc-perf). A remark for people, not a test.
namespace retrial::variance::inline history {

/// |v_i - v_(i-1)| / |v_(i-1)|, one fewer than the values; infinite after a 0 that did not stay 0.
[[nodiscard]] std::vector<double> relative_changes(std::span<const double> values);

struct ChangeThreshold {
  double q1 = 0.0, q3 = 0.0;  ///< quartiles of the changes
  double raw = 0.0;           ///< q3 + 3 (q3 - q1)
  double threshold = 0.0;     ///< raw; for fewer than 30 changes at least 0.002
};
/// InvalidInput without changes and for one that is not finite.
[[nodiscard]] ChangeThreshold change_threshold(std::span<const double> changes);

}  // namespace retrial::variance::inline history
